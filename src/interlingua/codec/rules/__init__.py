"""The parts that rules are made of, which several providers' bodies have in common."""
