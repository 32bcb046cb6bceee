"""What the service does, one folder per noun. Services know interfaces, not implementations."""
