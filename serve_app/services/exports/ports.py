"""Interfaces to what takes the files of exports. `wiring.exports` builds them; tests use plain classes."""

from typing import Protocol

from serve_app.domain.export import Export

MAILTO = "mailto:"
"""Begins a place that is an address of e-mail."""


class DeliveryFailed(Exception):
    """The place does not take the file now. A later try may succeed. The text gives the reason for people, without
    secrets."""


class ExportPlaces(Protocol):
    """Folders, buckets, SFTP servers and addresses of e-mail, each by a URL or a path."""

    def canonical(self, text: str) -> str:
        """The one way to write a place. Raises UserError if nothing can be delivered there."""
        ...

    async def deliver(self, place: str, export: Export, content: bytes) -> None:
        """Write or mail the file, all or nothing. Delivered again, it replaces itself; a mail has the same Message-ID.
        Raises DeliveryFailed."""
        ...
