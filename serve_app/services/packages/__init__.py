"""Packages: what an account has about its invoices, to be kept and verified outside the service."""
