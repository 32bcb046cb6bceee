"""Metrics for Prometheus: numbers in files that outlive their processes, and one scrape address on each machine."""
