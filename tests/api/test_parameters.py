"""Query parameters and ids in paths are read as their schemas say, and in no other way."""

from urllib.parse import quote

import httpx
import pytest

from serve_app.domain.account import Account
from serve_app.domain.invoice import Extraction
from serve_app.store.base import Store
from tests.api.checks import assert_error
from tests.api.invoices import complete_one

PATH = "/v1/invoices"


@pytest.fixture
async def invoice_id(store: Store, account: Account) -> str:
    """Of an invoice that was made on 2026-05-17 at 12:00:07.123456 UTC."""
    return str((await complete_one(store, account, Extraction(vendor_name="ACME GmbH"))).id)


async def found(client: httpx.AsyncClient, query: str) -> list[str]:
    answer = await client.get(f"{PATH}?{query}")
    assert answer.status_code == 200, answer.text
    return [invoice["id"] for invoice in answer.json()["data"]]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("2026-05-17t12:00:08z", "2026-05-17t12:00:07z"),
        ("2026-05-17t14:00:08.5+02:00", "2026-05-17 12:00:07"),
        ("2026-05-17T12:00:60Z", "2026-05-17T11:59:60Z"),
        ("2026-05-17T12:00:60.25", "2026-05-17T13:59:60+02:00"),
    ],
)
async def test_every_date_time_of_rfc_3339_is_read(
    client: httpx.AsyncClient, invoice_id: str, before: str, after: str
) -> None:
    between = f"created_before={quote(before)}&created_after={quote(after)}"
    assert await found(client, between) == [invoice_id]
    assert await found(client, f"created_after={quote(before)}") == []
    assert await found(client, f"created_before={quote(after)}") == []


@pytest.mark.parametrize(
    "query",
    [
        *("limit=1_0", "limit=5.0", "limit=+5", "limit=%205", "limit=5%20", "limit=0x5", "limit=\u0665", "limit=1e1"),
        *("min_amount=\u0662", "max_amount=1_0", "min_amount=%205", "min_amount=5%0A", "due_after=\u0662026-01-01"),
        *("created_after=2026-01-31T12:00:61Z", "created_after=2026-01-31T12:60:00Z", "created_after=20260131T120000Z"),
        *("created_after=9999-12-31T23:59:60Z", "created_after=%202026-01-31T12:00:00%2B02:00"),
        *("starting_after={00000000-0000-0000-0000-000000000000}", f"vendor={'x' * 256}", f"vendor={'x' * 40_000}"),
    ],
)
async def test_what_is_not_written_as_described_is_400(client: httpx.AsyncClient, query: str) -> None:
    message = assert_error(await client.get(f"{PATH}?{query}"), 400, "invalid_request_error", "invalid_parameter")
    assert message.startswith(query.partition("=")[0])


async def test_an_id_in_a_path_has_one_form(client: httpx.AsyncClient, invoice_id: str) -> None:
    assert (await client.get(f"{PATH}/{invoice_id.upper()}")).json()["id"] == invoice_id
    bare = invoice_id.replace("-", "")
    for other in (bare, f"{{{invoice_id}}}", f"urn:uuid:{invoice_id}"):
        assert_error(await client.get(f"{PATH}/{other}"), 404, "not_found", "invoice_not_found")


@pytest.mark.parametrize("vendor", ["%00", "acme%00", "x" * 255, "." * 255, "%F0%9F%93%84" * 255])
async def test_a_vendor_that_no_invoice_can_have_finds_none(
    client: httpx.AsyncClient, invoice_id: str, vendor: str
) -> None:
    assert await found(client, "vendor=acme") == [invoice_id]
    assert await found(client, f"vendor={vendor}") == []


async def test_the_document_shows_how_long_a_vendor_may_be(anyone: httpx.AsyncClient) -> None:
    document = (await anyone.get("/v1/openapi.json")).json()
    (vendor,) = [
        parameter for parameter in document["paths"][PATH]["get"]["parameters"] if parameter["name"] == "vendor"
    ]
    assert (vendor["schema"]["type"], vendor["schema"]["maxLength"]) == ("string", 255)
