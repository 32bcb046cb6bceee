"""Mail that comes in by SMTP or LMTP."""
