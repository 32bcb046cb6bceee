"""Reads thousands of broken and hostile files, and checks that each has a clear outcome: `make fuzz`."""
