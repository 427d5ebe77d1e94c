"""What Converse refuses."""
