"""How much waits, how fast it is worked off, and what follows: replicas, estimates, refusals."""
