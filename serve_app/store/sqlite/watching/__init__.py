"""Folders that are watched for documents."""
