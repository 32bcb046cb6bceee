"""The pages of purchase orders."""
