"""Tools that a provider's server runs: how a request declares them, and their calls and results in answers."""
