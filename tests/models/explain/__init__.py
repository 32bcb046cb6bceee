"""Why values are what they are."""
