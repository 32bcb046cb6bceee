"""The electronic invoice embedded in a PDF."""
