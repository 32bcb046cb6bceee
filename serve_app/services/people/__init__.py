"""People: who belongs to an account, how they sign in, and what they did."""
