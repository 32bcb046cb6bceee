"""Attempts to get out of a reader process, each made inside a real one: docs/sandbox.md lists their outcomes.

`host` is the service that the attempts are aimed at, `worker` the reader process that makes them.
"""
