"""What invoices are booked on: charts, suggestions and decisions."""
