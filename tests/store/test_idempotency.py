"""A key stands for one request, its answer and its invoice."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from serve_app.domain.idempotency import IN_FLIGHT, REPLAY_WINDOW, IdempotencyRecord, StoredAnswer
from serve_app.domain.ids import new_id
from serve_app.store.base import Store
from tests.support import NOON

ACCOUNT = new_id()
ANSWER = StoredAnswer(202, '{"id": "x"}')


def asked(now: datetime = NOON, key: str = "key", account_id: UUID = ACCOUNT) -> IdempotencyRecord:
    return IdempotencyRecord(account_id, key, new_id(), new_id(), created_at=now, held_since=now)


async def test_the_first_request_holds_the_key_and_the_next_sees_it_in_flight(store: Store) -> None:
    first, second = asked(), asked(NOON + timedelta(seconds=1))
    assert await store.idempotency.hold(first) == first
    assert await store.idempotency.hold(second) == first


async def test_of_a_hundred_at_once_one_holds_it(store: Store, open_again: Callable[[], Store]) -> None:
    stores = [store, open_again()]
    requests = [asked() for _ in range(100)]
    held = await asyncio.gather(*(stores[i % 2].idempotency.hold(request_) for i, request_ in enumerate(requests)))
    assert len({record.holder for record in held}) == 1
    assert sum(one.holder == request.holder for one, request in zip(held, requests, strict=True)) == 1


async def test_an_answer_is_replayed_until_the_window_is_over(store: Store) -> None:
    first = await store.idempotency.hold(asked())
    assert await store.idempotency.answer(first, ANSWER)
    late = asked(NOON + REPLAY_WINDOW - timedelta(seconds=1))
    assert await store.idempotency.hold(late) == replace(first, answer=ANSWER)
    later = asked(NOON + REPLAY_WINDOW)
    assert await store.idempotency.hold(later) == later


async def test_a_released_key_can_be_used_again(store: Store) -> None:
    first = await store.idempotency.hold(asked())
    assert await store.idempotency.release(first)
    second = asked()
    assert await store.idempotency.hold(second) == second
    assert not await store.idempotency.release(first)


async def test_a_sender_that_died_loses_the_key_but_not_the_invoices_id(store: Store) -> None:
    first = await store.idempotency.hold(asked())
    assert await store.idempotency.hold(asked(NOON + IN_FLIGHT - timedelta(seconds=1))) == first
    second = asked(NOON + IN_FLIGHT)
    held = await store.idempotency.hold(second)
    assert held == replace(first, holder=second.holder, held_since=second.held_since)
    assert not await store.idempotency.answer(first, ANSWER)
    assert not await store.idempotency.release(first)
    assert await store.idempotency.answer(held, ANSWER)
    assert (await store.idempotency.hold(asked(NOON + IN_FLIGHT))).answer == ANSWER


async def test_keys_belong_to_their_account(store: Store) -> None:
    first, other = asked(), asked(account_id=new_id())
    assert await store.idempotency.hold(first) == first
    assert await store.idempotency.hold(other) == other


async def test_any_key_of_255_characters_will_do(store: Store) -> None:
    for key in ("x" * 255, "\U0001f4c4" * 255, "$where: .*", "a\x00b"):
        record = asked(key=key)
        assert await store.idempotency.hold(record) == record
        assert await store.idempotency.hold(asked(key=key)) == record


async def test_a_hold_of_the_future_is_over_because_the_clock_was_set_back(store: Store) -> None:
    first = await store.idempotency.hold(asked(NOON + timedelta(hours=1)))
    assert await store.idempotency.hold(asked(NOON + timedelta(hours=1) - IN_FLIGHT)) == first
    second = asked(NOON)
    held = await store.idempotency.hold(second)
    assert (held.holder, held.invoice_id) == (second.holder, first.invoice_id)


async def test_a_request_for_something_else_does_not_take_the_key_over(store: Store) -> None:
    first = await store.idempotency.hold(replace(asked(), fingerprint="paid"))
    other = replace(asked(NOON + IN_FLIGHT), fingerprint="unpaid")
    assert await store.idempotency.hold(other) == first
    retry = replace(asked(NOON + IN_FLIGHT), fingerprint="paid")
    held = await store.idempotency.hold(retry)
    assert (held.holder, held.change_id) == (retry.holder, first.change_id)
    later = replace(asked(NOON + REPLAY_WINDOW), fingerprint="unpaid")
    assert (await store.idempotency.hold(later)).change_id != first.change_id
