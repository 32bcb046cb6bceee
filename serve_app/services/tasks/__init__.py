"""Work that goes on beside calls: loops, wake-ups, and what must finish."""
