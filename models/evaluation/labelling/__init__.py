"""Which documents to label next."""
