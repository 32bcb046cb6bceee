"""Purchase orders: keeping them, and matching invoices with them."""
