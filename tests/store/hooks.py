"""Makers of endpoints, events and deliveries, and a worker that delivers."""

from collections import Counter
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from serve_app.domain.account import Account
from serve_app.domain.event import Event, LoggedEvent
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Extraction, Status
from serve_app.domain.query import DeliveryQuery
from serve_app.domain.webhook import Attempt, Delivery, EndpointSecret, Health, Lane, PauseReason, WebhookEndpoint
from serve_app.store.base import Store
from tests.support import LEASE, NOON, claim_next, make_invoice, newest_events, queue_new

FAILED = Attempt(at=NOON, seconds=0.25, status=500, body="no")
REACHED = Attempt(at=NOON, seconds=0.1, status=204)
WELL = Health(is_slow=False, failing_since=None)


def make_endpoint(account: Account, **changes: object) -> WebhookEndpoint:
    """Each at a URL of its own."""
    secrets = (EndpointSecret("sealed"), EndpointSecret("older", NOON))
    made = WebhookEndpoint(new_id(), account.id, f"https://example.com/{new_id()}", (), secrets, NOON)
    return replace(made, **changes)  # type: ignore[arg-type]


async def add_endpoint(store: Store, account: Account, **changes: object) -> WebhookEndpoint:
    made = make_endpoint(account, **changes)
    await store.endpoints.add(made, at_most=1000)
    return made


async def emit(store: Store, account: Account, at: datetime = NOON) -> str:
    """The id of a new event, with its deliveries."""
    await queue_new(store, account.id)
    await store.queue.save_result(await claim_next(store), Extraction(), at)
    return (await newest_events(store, account.id))[0].id


def make_test_event(account_id: UUID) -> LoggedEvent:
    invoice = make_invoice().model_copy(update={"status": Status.COMPLETE})
    return LoggedEvent.of(Event.about(invoice, NOON), account_id)


async def add_test(store: Store, endpoint: WebhookEndpoint) -> Delivery:
    """One delivery for this endpoint alone."""
    made = await store.deliveries.add_test(make_test_event(endpoint.account_id), endpoint.id)
    assert made is not None
    return made


async def deliveries_of(store: Store, account: Account) -> list[Delivery]:
    """All of the account, newest first."""
    return list((await store.deliveries.page(account.id, DeliveryQuery(), 1000)).items)


async def claim_lane(store: Store, *, slow: bool = False) -> Lane:
    """A lane where one must be due."""
    (lane,) = await store.lanes.claim(LEASE, slow=slow)
    return lane


async def no_lane(store: Store) -> bool:
    """Whether no endpoint waits."""
    return not any([await store.lanes.claim(LEASE, slow=slow) for slow in (False, True)])


async def claim_one(store: Store, endpoint: WebhookEndpoint) -> Delivery:
    """A delivery where one must be due."""
    (claim,) = await store.deliveries.claim_due(endpoint.id, LEASE, 1)
    return claim


async def pause(store: Store, endpoint: WebhookEndpoint) -> WebhookEndpoint:
    return await change(store, endpoint, paused_reason=PauseReason.BY_HAND)


async def resume(store: Store, endpoint: WebhookEndpoint) -> WebhookEndpoint:
    return await change(store, endpoint, paused_reason=None)


async def change(store: Store, endpoint: WebhookEndpoint, **changes: object) -> WebhookEndpoint:
    """The endpoint as it is after the change."""
    present = await store.endpoints.get(endpoint.account_id, endpoint.id)
    assert present is not None
    changed = await store.endpoints.replace(replace(present, **changes))  # type: ignore[arg-type]
    assert changed is not None
    return changed


async def serve_lane(store: Store, reached: Counter[UUID], most: int = 10) -> bool:
    """Deliver some of what is due for one endpoint; False where none waits."""
    lanes = await store.lanes.claim(LEASE, slow=False)
    for lane in lanes:
        for claim in await store.deliveries.claim_due(lane.endpoint.id, LEASE, most):
            reached[claim.id] += await store.deliveries.delivered(claim, REACHED)
        await store.lanes.release_lease(lane, WELL)
    return bool(lanes)
