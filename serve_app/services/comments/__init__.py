"""What people say to each other about invoices."""
