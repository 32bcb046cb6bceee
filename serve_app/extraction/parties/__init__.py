"""Seller and buyer: their names, and what tells them apart."""
