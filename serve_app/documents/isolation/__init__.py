"""Documents are read in an expendable child process: docs/adr/0011-read-documents-in-expendable-child-processes.md.

Callers only need `reader`. Nothing is imported here: the child runs this file, too, and should start lean.
"""
