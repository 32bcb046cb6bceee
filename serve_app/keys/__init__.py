"""Keys: the rules that they follow, the files that keep them, and the encryption of secrets in the store."""
