"""How many replicas Serve runs while a backlog is worked off, with stand-ins that sleep instead of working."""
