"""Measures and maltreats what takes mail in: python -m benchmarks.mail {rates,kills,fuzz}."""
