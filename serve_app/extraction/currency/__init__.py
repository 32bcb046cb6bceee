"""In which currency an invoice is, by what it prints and the country it comes from."""
