"""What an invoice is about: the parties, numbers, dates, items and amounts, before anything is drawn."""
