"""What people say about invoices: corrections, confirmation, rejection."""
