"""Interfaces to what takes the files of exports. `wiring.exports` builds them; tests use plain classes."""

from collections.abc import Mapping
from typing import Any, Protocol

from serve_app.domain.export import Export
from serve_app.services.exports.bill import Bill

MAILTO = "mailto:"
"""Begins a place that is an address of e-mail."""


class DeliveryFailed(Exception):
    """The place does not take the file now. A later try may succeed. The text gives the reason for people, without
    secrets."""


class Refused(Exception):
    """The other program does not take a bill. The text is the end of a sentence, for people."""


class Call(Protocol):
    """Calls the API of another program by HTTP. Redirects are not followed."""

    async def __call__(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None = None, /
    ) -> tuple[int, Any]:
        """The status and the JSON of the response; None if it is no JSON. Raises DeliveryFailed if there is none."""
        ...


class LedgerApi(Protocol):
    """A program that books bills."""

    async def book(self, bill: Bill) -> str:
        """The id of the bill there: the new one, or the one that is there with this vendor and number. Raises Refused,
        or DeliveryFailed if a later try may succeed."""
        ...


class ExportPlaces(Protocol):
    """Folders, buckets, SFTP servers and addresses of e-mail, each by a URL or a path."""

    def canonical(self, text: str) -> str:
        """The one way to write a place. Raises UserError if nothing can be delivered there."""
        ...

    async def deliver(self, place: str, export: Export, content: bytes) -> None:
        """Write or mail the file, all or nothing. Delivered again, it replaces itself; a mail has the same Message-ID.
        Raises DeliveryFailed."""
        ...
