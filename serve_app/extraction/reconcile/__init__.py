"""What a document comes to: its sums and the rows that make them, chosen together."""
