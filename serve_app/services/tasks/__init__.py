"""Background work: loops, wake-ups, and what must finish."""
