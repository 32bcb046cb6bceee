"""The `Idempotency-Key` of PATCH, extract and approval."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from serve_app.domain.account import Account
from serve_app.domain.errors import OutcomeUnknown
from serve_app.domain.idempotency import IN_FLIGHT, REPLAY_WINDOW, IdempotencyRecord, StoredAnswer
from serve_app.domain.invoice import Invoice
from serve_app.settings import Settings
from serve_app.store.base import Idempotency, Store
from tests.api.checks import assert_error
from tests.api.test_approval import mails_in
from tests.support import MONTH, Clock, claim_next, newest_events
from tests.support.mails import READ, complete_invoice

BODIES: dict[str, Any] = {
    "": {"paid": True},
    "/extract": {"force": True},
    "/approval": {"email": "boss@example.com"},
}
OTHERS: dict[str, Any] = {"": {"paid": False}, "/extract": {}, "/approval": {"email": "other@example.com"}}
each_change = pytest.mark.parametrize("change", BODIES)


@pytest.fixture
def mail_folder(tmp_path: Path) -> Path:
    return tmp_path / "mail"


@pytest.fixture
def settings(settings: Settings, mail_folder: Path) -> Settings:
    return settings.model_copy(update={"mail_folder": str(mail_folder), "public_url": "http://service"})


@pytest.fixture
async def invoice(store: Store, account: Account) -> Invoice:
    return await complete_invoice(store, account.id)


class Sender:
    """Sends a change, with a key."""

    def __init__(self, client: httpx.AsyncClient, invoice: Invoice) -> None:
        self._client = client
        self._path = f"/v1/invoices/{invoice.id}"

    async def __call__(self, change: str, body: Any = None, key: str = "k") -> httpx.Response:
        method = "POST" if change else "PATCH"
        headers = {"Idempotency-Key": key}
        return await self._client.request(
            method, self._path + change, json=BODIES[change] if body is None else body, headers=headers
        )


@pytest.fixture
def send(client: httpx.AsyncClient, invoice: Invoice) -> Sender:
    return Sender(client, invoice)


async def effects(store: Store, account: Account, mails: Path) -> tuple[int, int, int]:
    """What others notice of the changes: events, units of the quota, and mails."""
    events = await newest_events(store, account.id)
    return len(events), await store.quotas.used(account.id, MONTH), len(mails_in(mails))


@each_change
async def test_a_repetition_gets_the_first_answer_and_changes_nothing(
    send: Sender, store: Store, account: Account, mail_folder: Path, clock: Clock, change: str
) -> None:
    first = await send(change)
    assert first.is_success
    assert "Idempotency-Replayed" not in first.headers
    once = await effects(store, account, mail_folder)
    clock.advance(REPLAY_WINDOW.total_seconds() - 1)
    again = await send(change)
    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.headers.get("Location") == first.headers.get("Location")
    assert await effects(store, account, mail_folder) == once


@each_change
async def test_another_body_is_422(
    send: Sender, store: Store, account: Account, mail_folder: Path, change: str
) -> None:
    await send(change)
    once = await effects(store, account, mail_folder)
    answer = await send(change, OTHERS[change])
    assert_error(answer, 422, "invalid_request_error", "idempotency_key_reused")
    assert answer.json()["error"]["param"] == "Idempotency-Key"
    assert await effects(store, account, mail_folder) == once


@each_change
async def test_after_a_day_a_key_is_new(send: Sender, clock: Clock, change: str) -> None:
    await send(change)
    clock.advance(REPLAY_WINDOW.total_seconds())
    answer = await send(change, OTHERS[change] or BODIES[change])
    assert "Idempotency-Replayed" not in answer.headers
    assert answer.status_code != 422


async def test_an_error_releases_the_key(send: Sender) -> None:
    assert_error(await send("/extract", {}), 400, "invalid_request_error", "already_complete")
    assert (await send("/extract")).status_code == 202


@pytest.mark.parametrize("key", ["", "x" * 256])
@each_change
async def test_a_key_of_no_or_too_many_characters_is_400(send: Sender, change: str, key: str) -> None:
    assert_error(await send(change, key=key), 400, "invalid_request_error", "invalid_parameter")


async def test_one_key_serves_different_calls(send: Sender) -> None:
    for change in BODIES:
        assert "Idempotency-Replayed" not in (await send(change)).headers


async def test_a_retry_of_a_failed_reading_is_replayed_whatever_came_of_it(send: Sender, store: Store) -> None:
    await send("/extract")
    await store.queue.save_result(await claim_next(store), READ, MONTH)
    assert (await send("/extract")).json()["status"] == "queued"


class DiesBeforeAnswering:
    """Keeps no answer, as a process that is killed between the change and its answer."""

    def __init__(self, sound: Idempotency) -> None:
        self._sound = sound
        self.is_dead = True

    async def hold(self, record: IdempotencyRecord) -> IdempotencyRecord:
        return await self._sound.hold(record)

    async def answer(self, record: IdempotencyRecord, answer: StoredAnswer) -> bool:
        if self.is_dead:
            raise OutcomeUnknown
        return await self._sound.answer(record, answer)

    async def release(self, record: IdempotencyRecord) -> bool:
        return await self._sound.release(record)


class TestAfterAKill:
    @pytest.fixture
    def dying(self, store: Store) -> DiesBeforeAnswering:
        return DiesBeforeAnswering(store.idempotency)

    @pytest.fixture(autouse=True)
    def dies(self, app: Any, dying: DiesBeforeAnswering) -> None:
        app.state.services.repeatable._holds._idempotency = dying

    @each_change
    async def test_a_retry_is_in_flight_and_then_finds_that_the_change_was_made(
        self,
        send: Sender,
        store: Store,
        account: Account,
        mail_folder: Path,
        dying: DiesBeforeAnswering,
        clock: Clock,
        change: str,
    ) -> None:
        await send(change)
        once = await effects(store, account, mail_folder)
        dying.is_dead = False
        answer = await send(change)
        assert_error(answer, 409, "api_error", "idempotency_in_flight")
        assert int(answer.headers["Retry-After"]) > 0
        clock.advance(IN_FLIGHT.total_seconds())
        for _ in range(2):
            answer = await send(change)
            assert answer.is_success
            assert answer.headers["Idempotency-Replayed"] == "true"
        assert await effects(store, account, mail_folder) == once
        # Another body finds the key used, even while it has no answer.
        assert_error(await send(change, OTHERS[change]), 422, "invalid_request_error", "idempotency_key_reused")
