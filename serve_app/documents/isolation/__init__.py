"""Documents are read in child processes with limits."""
