"""How likely each candidate is a field's value: one scorer, with fitted weights, for all fields."""
