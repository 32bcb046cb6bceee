"""ETag and If-None-Match: who has an answer already is told so instead of getting it again."""

from collections.abc import Awaitable, Callable

import httpx
import pytest

from serve_app.domain.account import Account
from serve_app.domain.record import Amendment
from serve_app.store.base import Store
from tests.api.checks import assert_error
from tests.api.invoices import complete_one
from tests.support import NOON, PDF_BYTES, newest_events

RATE = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")
Paths = dict[str, str]


@pytest.fixture
async def paths(store: Store, account: Account) -> Paths:
    invoice = await complete_one(store, account)
    (event,) = await newest_events(store, account.id)
    return {
        "invoice": f"/v1/invoices/{invoice.id}",
        "invoices": "/v1/invoices?limit=5",
        "event": f"/v1/events/{event.id}",
        "events": "/v1/events",
        "vendors": "/v1/vendors",
        "me": "/v1/me",
    }


@pytest.fixture
def change(client: httpx.AsyncClient, store: Store, account: Account, paths: Paths) -> Callable[[], Awaitable[None]]:
    async def change() -> None:
        invoice_id = (await client.get(paths["invoice"])).json()["id"]
        await store.invoices.amend(account.id, invoice_id, Amendment(sets_tag=True, entity_tag="north"), NOON)
        await client.post("/v1/invoices", files={"file": ("a.pdf", PDF_BYTES)})
        await complete_one(store, account)

    return change


@pytest.mark.parametrize("name", ["invoice", "invoices", "event", "events", "vendors", "me"])
async def test_who_names_the_tag_learns_that_nothing_has_changed(
    client: httpx.AsyncClient, paths: Paths, name: str
) -> None:
    first = await client.get(paths[name])
    tag = first.headers["ETag"]
    for named in (tag, tag.removeprefix("W/"), f'"another", {tag}', f'W/"another" ,{tag}, "x"', "*"):
        answer = await client.get(paths[name], headers={"If-None-Match": named})
        assert (answer.status_code, answer.content) == (304, b""), named
        assert answer.headers["ETag"] == tag
        assert "Content-Type" not in answer.headers
        assert all(header in answer.headers for header in (*RATE, "X-Request-Id"))
    for other in ('"another"', tag.replace('"', ""), tag[:-2] + '"', ""):
        answer = await client.get(paths[name], headers={"If-None-Match": other})
        assert (answer.status_code, answer.content) == (200, first.content), other


@pytest.mark.parametrize("name", ["invoice", "invoices", "events", "vendors", "me"])
async def test_a_change_changes_the_tag(
    client: httpx.AsyncClient, paths: Paths, change: Callable[[], Awaitable[None]], name: str
) -> None:
    before = await client.get(paths[name])
    await change()
    after = await client.get(paths[name], headers={"If-None-Match": before.headers["ETag"]})
    assert after.status_code == 200
    assert after.content != before.content
    assert after.headers["ETag"] != before.headers["ETag"]


async def test_an_event_never_changes(
    client: httpx.AsyncClient, paths: Paths, change: Callable[[], Awaitable[None]]
) -> None:
    tag = (await client.get(paths["event"])).headers["ETag"]
    await change()
    assert (await client.get(paths["event"], headers={"If-None-Match": tag})).status_code == 304


async def test_head_has_the_tag_and_heeds_it(client: httpx.AsyncClient, paths: Paths) -> None:
    tag = (await client.get(paths["invoice"])).headers["ETag"]
    assert (await client.head(paths["invoice"])).headers["ETag"] == tag
    assert (await client.head(paths["invoice"], headers={"If-None-Match": tag})).status_code == 304


async def test_errors_and_what_writes_have_no_tag(client: httpx.AsyncClient, paths: Paths) -> None:
    star = {"If-None-Match": "*"}
    missing = await client.get("/v1/invoices/7", headers=star)
    assert_error(missing, 404, "not_found", "invoice_not_found")
    created = await client.post("/v1/invoices", files={"file": ("a.pdf", PDF_BYTES)}, headers=star)
    amended = await client.patch(paths["invoice"], json={"paid": True}, headers=star)
    assert (created.status_code, amended.status_code) == (202, 200)
    assert not any("ETag" in answer.headers for answer in (missing, created, amended))
