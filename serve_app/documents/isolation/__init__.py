"""Documents are read in a child process that can be lost: docs/adr/0011-reading-in-child-processes.md.

Callers need `reader` only. Nothing is imported here: the child runs this file, too, and starts with little.
"""
