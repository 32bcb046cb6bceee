"""Getting the document that a caller only names by its URL."""

from typing import Protocol

from serve_app.domain import errors
from serve_app.domain.invoice import Source
from serve_app.net.outcome import BadUrl, Fetched, TooLarge, Unreachable
from serve_app.services.submit import Upload


class FileFetcher(Protocol):
    """Fetches files from the internet."""

    async def __call__(self, text: str, max_bytes: int, /) -> Fetched:
        """The file at a URL. BadUrl, Unreachable, TooLarge."""
        ...


class FetchFile:
    """The verb behind `file_url`."""

    def __init__(self, fetch: FileFetcher, max_bytes: int) -> None:
        self._fetch = fetch
        self._max_bytes = max_bytes

    async def __call__(self, url: str, name: str | None) -> Upload:
        """The document, called `name` or else what its server calls it.

        ServiceError 400 for a URL that is malformed, not https or holds credentials, 413 for a file over the limit, 422
        for whatever else keeps it from coming.
        """
        try:
            fetched = await self._fetch(url, self._max_bytes)
        except BadUrl as error:
            raise errors.invalid_parameter(f"`file_url` {error.reason}.") from None
        except Unreachable as error:
            raise errors.file_url_unreachable(f"`file_url` could not be fetched: {error.reason}.") from None
        except TooLarge:
            raise errors.file_too_large(self._max_bytes) from None
        return Upload(fetched.data, name or fetched.name, Source.API)
