"""Adapters that answer in the shapes of other vendors' APIs, for programs that were written for them (ADR 0159)."""
