"""Nobody keeps what is private, secret or no longer theirs."""

import httpx
import pytest

from serve_app.domain.account import Account
from serve_app.domain.invoice import Invoice
from serve_app.store.base import Files, Store
from tests.support import PDF_BYTES
from tests.support.mails import READ, complete_invoice


@pytest.fixture
async def invoice(store: Store, files: Files, account: Account) -> Invoice:
    invoice = await complete_invoice(store, account.id, READ)
    await files.write(f"{account.id}/{invoice.id}", PDF_BYTES)
    return invoice


async def test_a_signed_link_is_kept_nowhere(client: httpx.AsyncClient, invoice: Invoice) -> None:
    answer = await client.get(f"/v1/invoices/{invoice.id}/file")
    assert answer.headers["cache-control"] == "no-store"
    download = await client.get(answer.json()["url"])
    assert download.headers["cache-control"] == "private, no-store"


@pytest.mark.parametrize("path", ["/v1/me", "/v1/invoices", "/v1/events", "/v1/vendors"])
async def test_answers_with_a_tag_are_kept_by_their_caller_and_asked_for_again(
    client: httpx.AsyncClient, path: str
) -> None:
    answer = await client.get(path)
    assert answer.headers["cache-control"] == "private, no-cache"
    again = await client.get(path, headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.headers["cache-control"]) == (304, "private, no-cache")


@pytest.mark.parametrize("path", ["/v1/nothing", "/v1/invoices/nothing", "/livez", "/readyz"])
async def test_other_answers_are_kept_nowhere(client: httpx.AsyncClient, path: str) -> None:
    assert (await client.get(path)).headers["cache-control"] == "no-store"


async def test_a_picture_of_the_api_is_sent_again_only_if_it_has_changed(
    client: httpx.AsyncClient, invoice: Invoice
) -> None:
    path = f"/v1/invoices/{invoice.id}/pages/1/picture"
    picture = await client.get(path)
    assert picture.headers["cache-control"] == "private, no-cache"
    for tag in (picture.headers["etag"], f"W/{picture.headers['etag']}", f'"x", {picture.headers["etag"]}', "*"):
        again = await client.get(path, headers={"If-None-Match": tag})
        assert (again.status_code, again.content) == (304, b"")
        assert (again.headers["etag"], again.headers["cache-control"]) == (
            picture.headers["etag"],
            "private, no-cache",
        )
    other = await client.get(path, headers={"If-None-Match": '"x"'})
    assert other.content == picture.content
    assert (await client.get(path, headers={"If-None-Match": "*", "Authorization": ""})).status_code == 401
