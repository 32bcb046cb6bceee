"""What invoices are booked on: suggestions from rules, earlier decisions, and the names of codes. Pure: it knows only
the domain."""
