"""The table of what was sold or done: found, read and checked row by row."""
