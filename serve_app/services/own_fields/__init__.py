"""Fields that accounts add: definitions, values, and finding them."""
