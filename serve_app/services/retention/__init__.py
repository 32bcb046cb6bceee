"""How long things are kept, and receipts of what was removed."""
