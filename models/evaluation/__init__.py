"""How well the whole extraction does on documents with known truth."""
