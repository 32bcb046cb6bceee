"""A mail taken apart: bytes in, its documents and what became of every other part out. Runs in a child process."""
