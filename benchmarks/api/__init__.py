"""Measures the API on a real Ray Serve: `python -m benchmarks.api`."""
