"""What is unusual about an invoice by itself: what its supplier billed before is not known here."""
