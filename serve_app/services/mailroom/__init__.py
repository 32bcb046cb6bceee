"""Mails that come in: accepting them, taking them apart, and what people do with them."""
