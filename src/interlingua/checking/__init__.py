"""Finding what a provider would refuse in a request (`check`), and fixing it (`repair`)."""
