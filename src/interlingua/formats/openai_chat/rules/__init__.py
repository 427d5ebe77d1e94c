"""What Chat Completions and the hosts of its shape refuse."""
