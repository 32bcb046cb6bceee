"""Many accounts with limits of their own, under load."""
