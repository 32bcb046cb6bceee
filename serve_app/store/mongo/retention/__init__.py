"""How long things are kept, and their removal."""
