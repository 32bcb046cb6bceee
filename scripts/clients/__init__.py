"""Makes and tries the packages in clients/ (`make clients`)."""
