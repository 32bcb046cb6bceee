"""What people say about invoices."""
