"""How a document gets in: creating its invoice, at most once."""
