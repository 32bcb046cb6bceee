"""From the domain's objects to columns and back, the same for every store."""
