"""Fetches a document that a caller names by its URL."""

from typing import Protocol

from serve_app.domain.errors import FileTooLarge, FileUrlUnreachable, InvalidParameter
from serve_app.domain.invoice import Source
from serve_app.net.outcome import BadUrl, Fetched, TooLarge, Unreachable
from serve_app.services.intake.submit import Upload


class FileFetcher(Protocol):
    """Fetches files from the internet."""

    async def __call__(self, text: str, max_bytes: int, /) -> Fetched:
        """The file at a URL. Raises BadUrl, Unreachable or TooLarge."""
        ...


class FileUrls:
    """Fetches documents for `file_url`."""

    def __init__(self, fetch: FileFetcher, max_bytes: int) -> None:
        self._fetch = fetch
        self._max_bytes = max_bytes

    async def fetch(self, url: str, name: str | None) -> Upload:
        """The document, named `name` or else as its server names it.

        Raises InvalidParameter if the URL is malformed, not https or holds credentials, FileTooLarge,
        FileUrlUnreachable if it cannot be fetched for any other reason.
        """
        try:
            fetched = await self._fetch(url, self._max_bytes)
        except BadUrl as error:
            raise InvalidParameter(f"`file_url` {error.reason}.", "file_url") from None
        except Unreachable as error:
            raise FileUrlUnreachable(f"`file_url` could not be fetched: {error.reason}.") from None
        except TooLarge:
            raise FileTooLarge(self._max_bytes) from None
        return Upload(fetched.data, name or fetched.name, Source.API)
