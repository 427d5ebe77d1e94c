"""What a provider would refuse in a request, and what can be done about it."""
