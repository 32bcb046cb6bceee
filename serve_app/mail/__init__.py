"""Mail that the service sends: what it says, and the ways that it takes."""
