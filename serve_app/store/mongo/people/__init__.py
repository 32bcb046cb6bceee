"""People: who they are, how they sign in, what they may, what they did."""
