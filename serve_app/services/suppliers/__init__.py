"""What is known of suppliers, beside a new invoice."""
