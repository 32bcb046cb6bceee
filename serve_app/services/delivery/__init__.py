"""Delivering events to webhook endpoints."""
