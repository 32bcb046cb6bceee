"""What the service asks of the operating system: threads, locks, ports, private folders."""
