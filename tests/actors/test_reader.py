"""A document that cannot be read is an expected outcome: nothing of it may look like a fault of the service."""

import asyncio
from typing import Any, cast

import pytest
from ray.serve.handle import DeploymentHandle

from actors.handles import PictureHandle, ReaderHandle
from actors.reader import Lane, Reader
from serve_app.documents.isolation.reader import IsolatedReader
from serve_app.domain.document import Document, Origin, Page
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode
from tests.support import DOCUMENT

KIND: Any = cast(Any, Reader).func_or_class
ENCRYPTED = DocumentError(FailureCode.DOCUMENT_ENCRYPTED, "The document needs a password.")


class Files:
    async def read(self, key: str) -> bytes:
        return b"%PDF-1.7"


class Unreadable:
    """Reads and draws nothing."""

    async def read_slice(self, data: bytes, part: object, pages: object) -> Document:
        raise ENCRYPTED

    async def draw(self, data: bytes, page: Page, pages: object) -> bytes:
        raise ENCRYPTED


class Method:
    def __init__(self, method: Any) -> None:
        self.remote = method


class Handle:
    """Calls the replica as Serve does."""

    def __init__(self, replica: Any) -> None:
        self.read = Method(replica.read)
        self.draw = Method(replica.draw)


@pytest.fixture
def replica() -> Any:
    """Without its own set-up, which starts a process."""
    methods = {
        name: getattr(KIND, name)
        for name in ("read", "draw", "_read", "_fetched", "_bytes", "_with_health", "_lane_of_new")
    }
    replica: Any = object.__new__(type("Replica", (), methods))
    replica._files, replica._slice_seconds = Files(), 1.0
    replica._new, replica._later = (Lane(cast(IsolatedReader, Unreadable())) for _ in range(2))
    return replica


async def test_serve_sees_no_error(replica: Any) -> None:
    """It would log one with a traceback."""
    assert await replica.read("a/b") is ENCRYPTED
    assert await replica.draw(Origin("a/b", None), DOCUMENT.pages[0]) is ENCRYPTED


async def test_the_caller_gets_the_reason(replica: Any) -> None:
    handle = cast("DeploymentHandle[Any]", Handle(replica))
    with pytest.raises(DocumentError, match="password"):
        await ReaderHandle(handle).read("a/b")
    document = Document(DOCUMENT.pages, origin=Origin("a/b", None))
    with pytest.raises(DocumentError, match="password"):
        await PictureHandle(handle).add_to(document)


class Busy(Unreadable):
    """With one document for ever."""

    async def read_slice(self, data: bytes, part: object, pages: object) -> Document:
        await asyncio.sleep(60)
        raise ENCRYPTED


async def test_two_new_documents_are_read_at_once_while_nothing_else_is(replica: Any) -> None:
    replica._new = Lane(cast(IsolatedReader, Busy()))
    first = asyncio.create_task(replica.read("a/first"))
    await asyncio.sleep(0.01)
    assert await asyncio.wait_for(replica.read("b/second"), 5) is ENCRYPTED
    first.cancel()


async def test_a_new_document_does_not_wait_for_a_page_of_a_long_one(replica: Any) -> None:
    replica._later = Lane(cast(IsolatedReader, Busy()))
    page = asyncio.create_task(replica.read("a/long", numbers=(7,)))
    await asyncio.sleep(0.01)
    assert await asyncio.wait_for(replica.read("a/new"), 5) is ENCRYPTED
    page.cancel()
