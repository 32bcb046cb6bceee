"""What the service does, one verb per file. Services know interfaces, not implementations."""
