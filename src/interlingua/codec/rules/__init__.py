"""The kit that rules are written with: what several providers' bodies have in common."""
