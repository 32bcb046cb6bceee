"""Attempts to get out of a reader process, made inside a real one: docs/reference/sandbox-attempts*.md have the
outcomes.

`host` is the service that the attempts are aimed at, `worker` the reader process that makes them.
"""
