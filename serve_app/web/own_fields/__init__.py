"""The page of own fields."""
