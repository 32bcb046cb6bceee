"""How far each value can be trusted, and what is kept about why."""
