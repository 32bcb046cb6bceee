"""Three machines on one host, each with a network address and processes of its own, and what happens when one dies."""
