"""Labelled documents from annotated pages: HTML in which every value is marked with what it is."""
