"""What electronic invoices and codes say, beside what the pages print."""
