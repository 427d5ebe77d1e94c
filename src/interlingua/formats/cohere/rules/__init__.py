"""What Cohere refuses."""
