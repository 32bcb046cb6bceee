"""An agent's session with the MCP server, in this process: both protocol revisions, and a person who answers."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from mcp import Client
from mcp.client import ClientRequestContext
from mcp.types import CallToolResult, ElicitRequestParams, ElicitResult, ListRootsResult, TextContent

from invoices_client import AsyncClient
from invoices_mcp import Access, Options, build_server
from serve_app.domain.batch import Section
from serve_app.domain.evidence import Evidence, PageWords, pack
from serve_app.domain.invoice import Confidence, Field
from tests.support import PDF_BYTES
from tests.support.mails import READ

CERTAIN = READ.model_copy(update={"field_confidence": dict.fromkeys(Field, Confidence.HIGH)})


@dataclass
class Person:
    """Whoever sits before the agent's host: answers each question alike, and keeps it."""

    action: str = "accept"
    agree: bool = True
    questions: list[str] = field(default_factory=list)

    async def answer(self, context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        self.questions.append(params.message)
        content: dict[str, Any] | None = {"agree": self.agree} if self.action == "accept" else None
        return ElicitResult(action=self.action, content=content)


Connect = Callable[..., AbstractAsyncContextManager[Client]]


# `legacy`: the newest revision before, in which the server asks while a call runs.
both_revisions = pytest.mark.parametrize("revision", ["2026-07-28", "legacy"])


@pytest.fixture
def revision() -> str:
    """The protocol revision of the session."""
    return "2026-07-28"


@pytest.fixture
def connect(http: httpx.AsyncClient, key: str, revision: str) -> Connect:
    """Starts a session."""

    @asynccontextmanager
    async def start(
        *,
        person: Person | None = None,
        options: Options | None = None,
        roots: Sequence[str] | None = None,
        api_key: str = key,
    ) -> AsyncIterator[Client]:
        async def list_roots(context: ClientRequestContext) -> ListRootsResult:
            return ListRootsResult.model_validate({"roots": [{"uri": root} for root in roots or ()]})

        server = build_server(Access(lambda: api_key, http, options or Options(), url="http://service"))
        async with Client(
            server,
            mode=revision,
            elicitation_callback=person.answer if person else None,
            list_roots_callback=list_roots if roots is not None else None,
        ) as client:
            yield client

    return start


@pytest.fixture
async def invoice_id(client: AsyncClient) -> str:
    """A complete invoice, of which `section` was read."""
    return (await client.invoices.create_and_wait(file=PDF_BYTES, file_name="bill.pdf")).id


def certain(words: str = "", **changes: Any) -> Section:
    """An invoice whose values are all `high`; `words` are those of its page."""
    count = len(words.split())
    pages = (PageWords(1, 600, 800, " ".join(words.split()), (0, 0, 10, 10) * count),)
    return Section(1, 1, CERTAIN.model_copy(update=changes), evidence=pack(Evidence(pages)))


def texts(result: CallToolResult) -> list[str]:
    """The text blocks of an answer."""
    return [block.text for block in result.content if isinstance(block, TextContent)]
