"""Bytes in, pages of words out."""
