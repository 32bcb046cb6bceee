"""Calls that are held with `wait=true`: what they cost, how many there are, and callers that hang up."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection
from typing import Any
from uuid import UUID

import httpx
import pytest

from serve_app.domain.account import Account, Plan, Scope
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Invoice, Status
from serve_app.domain.query import InvoiceQuery
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from tests.api.checks import assert_error
from tests.api.conftest import MakeKey
from tests.support import MONTH, NOON, PDF_BYTES, FakeReader
from tests.support.until import until

PATH = "/v1/invoices"
CAP = 20
MIB = 2**20

Held = Callable[..., asyncio.Task[httpx.Response]]


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(
        update={"max_held_calls": CAP, "rate_limit": 1000, "wait_seconds": 30, "max_file_bytes": MIB}
    )


@pytest.fixture
async def owner(store: Store) -> Account:
    account = Account(new_id(), Plan.UNLIMITED, NOON)
    await store.accounts.add(account)
    return account


@pytest.fixture
async def client(anyone: httpx.AsyncClient, make_key: MakeKey, owner: Account) -> httpx.AsyncClient:
    anyone.headers.update(await make_key(Scope.FULL, owner))
    return anyone


@pytest.fixture
def go_on(reader: FakeReader) -> asyncio.Event:
    """No document is read before this is set."""
    gate = asyncio.Event()

    async def wait_for_it() -> None:
        await gate.wait()

    reader.before = wait_for_it
    return gate


@pytest.fixture
async def hold(client: httpx.AsyncClient) -> AsyncIterator[Held]:
    """Starts a call with `wait=true`; cancelling it is what Ray Serve does when its caller hangs up."""
    calls: list[asyncio.Task[httpx.Response]] = []

    def start(**more: Any) -> asyncio.Task[httpx.Response]:
        files = {"file": ("a.pdf", PDF_BYTES)}
        calls.append(asyncio.create_task(client.post(PATH, params={"wait": "true"}, files=files, **more)))
        return calls[-1]

    yield start
    for call in calls:
        call.cancel()
    await asyncio.gather(*calls, return_exceptions=True)


class Looks:
    """Counts what is asked of the store: looks for all held calls, and looks for a single invoice."""

    def __init__(self, store: Store, patch: pytest.MonkeyPatch) -> None:
        self.sizes: list[int] = []
        self.single = 0
        self._finished_among, self._get = store.queue.finished_among, store.invoices.get
        patch.setattr(store.queue, "finished_among", self.finished_among)
        patch.setattr(store.invoices, "get", self.get)

    async def finished_among(self, ids: Collection[UUID]) -> set[UUID]:
        self.sizes.append(len(ids))
        return await self._finished_among(ids)

    async def get(self, account_id: UUID, invoice_id: UUID) -> Invoice | None:
        self.single += 1
        return await self._get(account_id, invoice_id)


@pytest.fixture
def looks(store: Store, monkeypatch: pytest.MonkeyPatch) -> Looks:
    return Looks(store, monkeypatch)


async def invoices_of(store: Store, owner: Account) -> list[Invoice]:
    return list((await store.invoices.page(owner.id, InvoiceQuery(), 1000)).items)


async def hang_up(call: asyncio.Task[httpx.Response]) -> None:
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call


@pytest.mark.usefixtures("running")
async def test_all_held_calls_together_cost_one_look_at_a_time(hold: Held, looks: Looks, go_on: asyncio.Event) -> None:
    calls = [hold() for _ in range(CAP)]
    await until(lambda: CAP in looks.sizes)
    seen = len(looks.sizes)
    await until(lambda: len(looks.sizes) >= seen + 5)
    assert set(looks.sizes[seen : seen + 5]) == {CAP}
    assert looks.single == 0
    go_on.set()
    answers = await asyncio.gather(*calls)
    assert {(answer.status_code, answer.json()["status"]) for answer in answers} == {(200, "complete")}
    assert looks.single == CAP


@pytest.mark.usefixtures("running")
async def test_beyond_the_cap_it_is_202_at_once_and_below_it_calls_are_held_again(
    hold: Held, looks: Looks, go_on: asyncio.Event
) -> None:
    held = [hold() for _ in range(CAP)]
    await until(lambda: CAP in looks.sizes)
    answers = await asyncio.gather(*(hold() for _ in range(10)))
    assert {(answer.status_code, answer.json()["wait_timed_out"]) for answer in answers} == {(202, True)}
    assert not any(call.done() for call in held)
    go_on.set()
    assert {(await call).status_code for call in held} == {200}
    assert (await hold()).status_code == 200


@pytest.mark.usefixtures("running")
async def test_a_caller_that_hangs_up_frees_its_place_and_its_document_is_still_read(
    hold: Held, looks: Looks, go_on: asyncio.Event, store: Store, owner: Account
) -> None:
    calls = [hold() for _ in range(CAP)]
    await until(lambda: CAP in looks.sizes)
    for call in calls:
        await hang_up(call)
    again = [hold() for _ in range(CAP)]
    await until(lambda: looks.sizes[-1] == CAP)
    go_on.set()
    assert {(await call).status_code for call in again} == {200}

    async def all_complete() -> bool:
        return {invoice.status for invoice in await invoices_of(store, owner)} == {Status.COMPLETE}

    await until(all_complete)
    assert len(await invoices_of(store, owner)) == 2 * CAP


@pytest.mark.usefixtures("running")
async def test_when_all_have_hung_up_nobody_looks(hold: Held, looks: Looks, go_on: asyncio.Event) -> None:
    calls = [hold() for _ in range(3)]
    await until(lambda: 3 in looks.sizes)
    for call in calls:
        await hang_up(call)
    # A look may be under way.
    await asyncio.sleep(0.1)
    before = len(looks.sizes)
    await asyncio.sleep(0.1)
    assert len(looks.sizes) == before


@pytest.mark.parametrize("moment", ["reserve", "write", "add"])
@pytest.mark.usefixtures("running")
async def test_who_hangs_up_while_the_document_is_taken_in_has_sent_it(
    hold: Held, store: Store, files: Files, owner: Account, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    place: Any = files if moment == "write" else store.intake
    step, reached, go = getattr(place, moment), asyncio.Event(), asyncio.Event()

    async def slow(*arguments: Any) -> Any:
        reached.set()
        await go.wait()
        return await step(*arguments)

    monkeypatch.setattr(place, moment, slow)
    call = hold()
    await reached.wait()
    await hang_up(call)
    go.set()

    async def is_complete() -> bool:
        return [invoice.status for invoice in await invoices_of(store, owner)] == [Status.COMPLETE]

    await until(is_complete)
    assert await store.quotas.used(owner.id, MONTH) == 1


@pytest.mark.usefixtures("running")
async def test_the_repetition_of_a_call_that_hung_up_finds_its_invoice(
    hold: Held, looks: Looks, go_on: asyncio.Event, store: Store, owner: Account
) -> None:
    headers = {"Idempotency-Key": "order 7"}
    call = hold(headers=headers)
    await until(lambda: 1 in looks.sizes)
    assert_error(await hold(headers=headers), 409, "api_error", "idempotency_in_flight")
    await hang_up(call)
    answer = await hold(headers=headers)
    (invoice,) = await invoices_of(store, owner)
    assert (answer.status_code, answer.json()["id"]) == (202, str(invoice.id))
    assert (answer.headers["Idempotency-Replayed"], "wait_timed_out" in answer.json()) == ("true", False)
    assert await store.quotas.used(owner.id, MONTH) == 1


async def test_who_hangs_up_in_the_middle_of_an_upload_has_sent_nothing(
    client: httpx.AsyncClient, store: Store, owner: Account
) -> None:
    sent = asyncio.Event()

    async def half() -> AsyncIterator[bytes]:
        yield b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n' + PDF_BYTES
        sent.set()
        await asyncio.Event().wait()

    headers = {"Content-Type": "multipart/form-data; boundary=b"}
    call = asyncio.create_task(client.post(PATH, content=half(), headers=headers))
    await sent.wait()
    await hang_up(call)
    assert await invoices_of(store, owner) == []
    assert await store.quotas.used(owner.id, MONTH) == 0


@pytest.mark.parametrize("kind", ["multipart/form-data; boundary=b", "application/json"])
async def test_of_uploads_over_the_limit_no_more_than_the_limit_is_read(client: httpx.AsyncClient, kind: str) -> None:
    read = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal read
        yield b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n'
        while True:
            read += MIB // 4
            yield bytes(MIB // 4)

    async def upload() -> None:
        answer = await client.post(PATH, content=endless(), headers={"Content-Type": kind})
        assert_error(answer, 413, "invalid_request_error", "file_too_large")

    await asyncio.gather(*(upload() for _ in range(10)))
    assert read <= 10 * 2 * MIB


class TestWithoutPolling:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"wait_poll_seconds": 60.0, "poll_seconds": 60.0})

    @pytest.mark.usefixtures("running")
    async def test_the_end_of_the_run_lets_a_held_call_go(self, hold: Held, go_on: asyncio.Event) -> None:
        call = hold()
        await asyncio.sleep(0.1)
        go_on.set()
        async with asyncio.timeout(5):
            assert (await call).json()["status"] == "complete"
