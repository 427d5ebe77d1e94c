"""What Anthropic's Messages API and its hosts refuse."""
