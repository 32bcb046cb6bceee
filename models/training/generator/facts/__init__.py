"""The facts of an invoice: parties, numbers, dates, items and amounts, before anything is drawn."""
