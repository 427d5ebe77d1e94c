"""What Ollama refuses."""
