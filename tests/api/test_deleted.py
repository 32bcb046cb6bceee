"""What is left of a deleted invoice: nothing that could be read, and a place to continue a list from."""

import httpx
import pytest

from serve_app.domain.account import Account, Plan, Scope
from serve_app.domain.erased import ERASED_ID_LIFE
from serve_app.domain.ids import new_id
from serve_app.services.invoices.erase import InvoiceEraser
from serve_app.store.base import Files, Store
from tests.api.checks import assert_error
from tests.api.conftest import MakeKey
from tests.api.invoices import complete_one
from tests.support import NOON, PDF_BYTES, Clock, newest_events
from tests.support.databases import KINDS

PATH = "/v1/invoices"


@pytest.fixture(params=KINDS)
def store_kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def eraser(store: Store, files: Files, clock: Clock) -> InvoiceEraser:
    return InvoiceEraser(store, files, clock)


async def test_a_list_goes_on_from_where_a_deleted_invoice_was(
    client: httpx.AsyncClient, store: Store, account: Account, eraser: InvoiceEraser
) -> None:
    oldest, middle, newest = [await complete_one(store, account) for _ in range(3)]
    await eraser.erase(account.id, middle.id)
    body = (await client.get(PATH, params={"starting_after": str(middle.id)})).json()
    assert [invoice["id"] for invoice in body["data"]] == [str(oldest.id)]
    body = (await client.get(PATH, params={"starting_after": str(newest.id)})).json()
    assert [invoice["id"] for invoice in body["data"]] == [str(oldest.id)]


async def test_events_go_on_from_where_a_deleted_one_was(
    client: httpx.AsyncClient, store: Store, account: Account, eraser: InvoiceEraser
) -> None:
    for _ in range(3):
        await complete_one(store, account)
    _, middle, oldest = await newest_events(store, account.id)
    await eraser.erase(account.id, middle.data.invoice.id)
    body = (await client.get("/v1/events", params={"starting_after": middle.id})).json()
    assert [event["id"] for event in body["data"]] == [oldest.id]


async def test_to_another_account_a_deleted_id_is_as_unknown_as_ever(
    anyone: httpx.AsyncClient, make_key: MakeKey, store: Store, account: Account, eraser: InvoiceEraser
) -> None:
    invoice = await complete_one(store, account)
    (event,) = await newest_events(store, account.id)
    await eraser.erase(account.id, invoice.id)
    other = Account(new_id(), Plan.PRO, NOON)
    await store.accounts.add(other)
    key = await make_key(Scope.READ, other)
    for path, id in ((PATH, str(invoice.id)), ("/v1/events", event.id)):
        answers = [
            await anyone.get(path, params={"starting_after": cursor}, headers=key)
            for cursor in (id, id[:-4] + ("0000" if id[-4:] != "0000" else "1111"))
        ]
        messages = [assert_error(answer, 400, "invalid_request_error", "invalid_parameter") for answer in answers]
        assert messages[0] == messages[1]


async def test_after_thirty_days_a_deleted_id_is_forgotten(
    client: httpx.AsyncClient, store: Store, account: Account, eraser: InvoiceEraser, clock: Clock
) -> None:
    invoice = await complete_one(store, account)
    await eraser.erase(account.id, invoice.id)
    await store.upkeep.expire(clock.now + ERASED_ID_LIFE / 2)
    assert (await client.get(PATH, params={"starting_after": str(invoice.id)})).status_code == 200
    await store.upkeep.expire(clock.now + ERASED_ID_LIFE)
    answer = await client.get(PATH, params={"starting_after": str(invoice.id)})
    assert_error(answer, 400, "invalid_request_error", "invalid_parameter")


async def test_the_answer_of_its_idempotency_key_goes_with_it(
    client: httpx.AsyncClient, account: Account, eraser: InvoiceEraser
) -> None:
    async def create() -> httpx.Response:
        files = {"file": ("a.pdf", PDF_BYTES)}
        return await client.post(PATH, files=files, headers={"Idempotency-Key": "order 7"})

    first = (await create()).json()
    await eraser.erase(account.id, first["id"])
    again = await create()
    assert (again.status_code, "Idempotency-Replayed" in again.headers) == (202, False)
    assert again.json()["id"] != first["id"]
