"""What the Interactions API refuses."""
