"""Nobody but us judges rows of ShareGPT: no provider takes them, and no library publishes their types."""

JUDGE = None
