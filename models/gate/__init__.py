"""Which models may serve: those that have passed the check that their configuration demands."""
