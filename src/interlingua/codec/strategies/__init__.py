"""The parts that the Hypothesis strategies of formats are made of."""
