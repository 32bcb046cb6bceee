"""A URL becomes a document, or an error of the contract."""

import pytest

from serve_app.domain.errors import FileTooLarge, FileUrlUnreachable, InvalidParameter, ServiceError
from serve_app.domain.invoice import Source
from serve_app.net.outcome import BadUrl, Fetched, TooLarge, Unreachable
from serve_app.services.intake.file_urls import FileUrls
from serve_app.services.intake.submit import Upload

URL = "https://files.example/a.pdf?sig=secret"
MAX_BYTES = 15 * 1024 * 1024


class FakeFetcher:
    """Gives a file, or raises an error."""

    def __init__(self, outcome: Fetched | Exception) -> None:
        self._outcome = outcome
        self.calls: list[tuple[str, int]] = []

    async def __call__(self, text: str, max_bytes: int, /) -> Fetched:
        self.calls.append((text, max_bytes))
        if isinstance(self._outcome, Exception):
            raise self._outcome
        return self._outcome


@pytest.mark.parametrize(("given", "name"), [(None, "a.pdf"), ("", "a.pdf"), ("mine.pdf", "mine.pdf")])
async def test_the_document_has_the_callers_name_or_the_servers(given: str | None, name: str) -> None:
    fetcher = FakeFetcher(Fetched(b"%PDF", "a.pdf", "text/html"))
    assert await FileUrls(fetcher, MAX_BYTES).fetch(URL, given) == Upload(b"%PDF", name, Source.API)
    assert fetcher.calls == [(URL, MAX_BYTES)]


@pytest.mark.parametrize(
    ("outcome", "kind", "message"),
    [
        (BadUrl("must begin with https://"), InvalidParameter, "`file_url` must begin with https://."),
        (
            Unreachable("the server answered with status 404"),
            FileUrlUnreachable,
            "`file_url` could not be fetched: the server answered with status 404.",
        ),
        (TooLarge(), FileTooLarge, "The file is larger than the limit of 15 MB (15728640 bytes)."),
    ],
)
async def test_failures_are_errors_of_the_service(outcome: Exception, kind: type[ServiceError], message: str) -> None:
    with pytest.raises(kind) as caught:
        await FileUrls(FakeFetcher(outcome), MAX_BYTES).fetch(URL, None)
    assert caught.value.message == message
