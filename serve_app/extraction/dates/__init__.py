"""Dates as pages print them, and which of them is which."""
