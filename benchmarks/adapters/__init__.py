"""`python -m benchmarks.adapters`: every kind of model from random weights to a served checkpoint, with figures."""
