"""What Gemini refuses."""
