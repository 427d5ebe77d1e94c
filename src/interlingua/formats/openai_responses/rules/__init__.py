"""What OpenAI's Responses API refuses."""
