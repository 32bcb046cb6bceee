"""Mail that the service sends: its content and its transports."""
