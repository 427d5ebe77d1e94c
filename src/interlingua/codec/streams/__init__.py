"""What the readers and writers of streams are made of."""
