"""Answers about files. Written by `python -m scripts.clients` from the OpenAPI document."""

from invoices_client.models.base import Model


class FileLink(Model):
    """Where an invoice's document can be downloaded for `expires_in` seconds, with no key."""

    id: str
    """The id."""
    url: str
    """The URL of the document, valid until the link expires."""
    expires_in: int
    """The lifetime of the link in seconds."""
    file_name: str | None = None
    """The name of the file."""
    mime_type: str | None = None
    """The type of the file."""
