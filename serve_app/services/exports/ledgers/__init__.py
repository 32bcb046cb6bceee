"""Programs that book bills by their API."""
