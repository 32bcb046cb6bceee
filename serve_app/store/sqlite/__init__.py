"""The embedded store of one machine: one SQLite file, shared safely by the processes of one host."""
