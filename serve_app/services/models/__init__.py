"""Which pair of models reads what."""
