"""Every change of endpoints, lanes and deliveries is several steps in MongoDB. Somebody else does something in between,
at each of them."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import pytest

from serve_app.domain.account import Account, Plan
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Extraction
from serve_app.domain.webhook import Delivery, DeliveryState, Health, PauseReason, WebhookEndpoint
from serve_app.store.base import Store
from serve_app.store.base.webhooks import EndpointPaused
from serve_app.store.mongo.store import open_mongo
from tests.store.hooks import (
    FAILED,
    WELL,
    add_endpoint,
    add_test,
    change,
    claim_lane,
    claim_one,
    deliveries_of,
    emit,
    make_test_event,
    no_lane,
    pause,
    resume,
)
from tests.store.mongo_faults import Fault, FaultyClient, background_done
from tests.support import LEASE, NOON, Clock, claim_next, queue_new
from tests.support.mongomock import mock_client

URL = "mongodb://nowhere/invoices"
ILL = Health(is_slow=True, failing_since=NOON)
Action = Callable[[Store], Awaitable[object]]


@dataclass
class Interrupted(Fault):
    """Before operation number `at`, somebody else does something."""

    meanwhile: Callable[[], Awaitable[object]] | None = None

    async def do(self, operation: Callable[[], Awaitable[Any]], name: str, *where: Any) -> Any:
        if self.count >= 0:
            self.count += 1
            if self.count == self.at and self.meanwhile is not None:
                await self.meanwhile()
        return await operation()


@dataclass
class Scene:
    """An account with an endpoint, seen by a process that is interrupted (`ours`) and by another one."""

    at: int
    client: Any = field(default_factory=mock_client)
    account: Account = field(default_factory=lambda: Account(new_id(), Plan.FREE, NOON))
    clock: Clock = field(default_factory=Clock)
    was_interrupted: bool = False
    endpoint: WebhookEndpoint = field(init=False)

    def __post_init__(self) -> None:
        self.fault = Interrupted(at=self.at)
        self.ours = open_mongo(URL, 8, self.clock, FaultyClient(self.client, self.fault))
        self.other = open_mongo(URL, 8, self.clock, self.client)

    async def start(self) -> "Scene":
        await self.ours.accounts.add(self.account)
        self.endpoint = await add_endpoint(self.ours, self.account)
        await background_done()
        return self

    async def interrupt(self, call: Action, meanwhile: Action) -> Any:
        """What the call answers, of which a step is preceded by something of somebody else's."""

        async def once() -> None:
            self.was_interrupted = True
            await meanwhile(self.other)

        self.fault.meanwhile = once
        self.fault.arm()
        result = await call(self.ours)
        self.fault.count = -1
        return result

    async def states(self) -> list[DeliveryState]:
        return [delivery.state for delivery in await deliveries_of(self.other, self.account)]

    async def rows(self, name: str) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = await self.client.get_database("invoices")[name].find({}).to_list(None)
        return rows


async def at_every_step(test: Callable[[Scene], Awaitable[None]], least: int) -> None:
    """Play the scene, interrupted at the first step, at the second, and so on; it has at `least` this many steps."""
    at = 1
    while True:
        scene = await Scene(at).start()
        try:
            await test(scene)
        except AssertionError as error:
            raise AssertionError(f"interrupted at step {at}") from error
        if not scene.was_interrupted:
            break
        at += 1
    assert at > least


async def finish(store: Store, account: Account) -> None:
    """An event, on its way."""
    await queue_new(store, account.id)
    await store.queue.save_result(await claim_next(store), Extraction(), NOON)


def spread(store: Store) -> Awaitable[object]:
    return store.outbox.spread_pending(10)


@pytest.mark.parametrize("health", [WELL, ILL])
async def test_what_comes_while_a_lane_is_given_back_has_a_lane(health: Health) -> None:
    async def play(scene: Scene) -> None:
        made = await add_test(scene.ours, scene.endpoint)
        lane, claim = await claim_lane(scene.ours), await claim_one(scene.ours, scene.endpoint)
        await scene.ours.deliveries.delivered(claim, FAILED)
        await scene.interrupt(
            lambda store: store.lanes.release_lease(lane, health), lambda other: emit(other, scene.account)
        )
        if scene.was_interrupted:
            await claim_lane(scene.ours, slow=health.is_slow)
            assert (await claim_one(scene.ours, scene.endpoint)).id != made.id
        recorded = await scene.ours.endpoints.get(scene.account.id, scene.endpoint.id)
        assert recorded is not None
        assert Health(recorded.is_slow, recorded.failing_since) == health

    await at_every_step(play, least=3)


@pytest.mark.parametrize("kind", ["test", "event"])
async def test_what_comes_while_others_serve_has_a_lane(kind: str) -> None:
    async def play(scene: Scene) -> None:
        async def serve(other: Store) -> None:
            for lane in await other.lanes.claim(LEASE, slow=False):
                await other.lanes.release_lease(lane, WELL)

        await finish(scene.ours, scene.account)
        if kind == "test":
            await spread(scene.ours)
            lane, claim = await claim_lane(scene.ours), await claim_one(scene.ours, scene.endpoint)
            await scene.ours.deliveries.delivered(claim, FAILED)
            await scene.ours.lanes.release_lease(lane, WELL)
            await scene.interrupt(lambda store: add_test(store, scene.endpoint), serve)
        else:
            await scene.interrupt(spread, serve)
        await claim_lane(scene.ours)
        await claim_one(scene.ours, scene.endpoint)

    await at_every_step(play, least=4)


@pytest.mark.parametrize("late", ["release_lease", "claim"])
async def test_what_is_let_wait_while_a_lane_changes_hands_has_a_lane(late: str) -> None:
    async def play(scene: Scene) -> None:
        made = await add_test(scene.ours, scene.endpoint)
        lane, claim = await claim_lane(scene.ours), await claim_one(scene.ours, scene.endpoint)
        if late == "claim":
            await scene.ours.lanes.release_lease(lane, WELL)
            scene.clock.advance(LEASE.total_seconds() - 1)
        meanwhile: Action = (
            (lambda other: other.lanes.release_lease(lane, WELL))
            if late == "release_lease"
            else (lambda other: other.lanes.claim(LEASE, slow=False))
        )
        await scene.interrupt(lambda store: store.deliveries.hand_back(claim), meanwhile)
        if late == "release_lease":
            await scene.ours.lanes.release_lease(lane, WELL)
            await claim_lane(scene.ours)
        assert (await claim_one(scene.ours, scene.endpoint)).id == made.id

    await at_every_step(play, least=2)


async def test_nothing_waits_for_an_endpoint_that_is_paused_while_events_are_spread() -> None:
    async def play(scene: Scene) -> None:
        await finish(scene.ours, scene.account)
        await scene.interrupt(spread, lambda other: pause(other, scene.endpoint))
        expected = DeliveryState.ABANDONED if scene.was_interrupted else DeliveryState.PENDING
        assert set(await scene.states()) <= {expected}

    await at_every_step(play, least=5)


async def test_nothing_waits_for_an_endpoint_that_is_paused_while_all_is_redelivered() -> None:
    async def play(scene: Scene) -> None:
        await emit(scene.ours, scene.account)
        await resume(scene.ours, await pause(scene.ours, scene.endpoint))
        await scene.interrupt(
            lambda store: store.deliveries.redeliver_abandoned(scene.account.id, NOON),
            lambda other: pause(other, scene.endpoint),
        )
        expected = DeliveryState.ABANDONED if scene.was_interrupted else DeliveryState.PENDING
        assert await scene.states() == [expected]

    await at_every_step(play, least=4)


@pytest.mark.parametrize("kind", ["redelivery", "test"])
async def test_nothing_waits_for_an_endpoint_that_is_paused_while_something_is_asked_for(kind: str) -> None:
    async def play(scene: Scene) -> None:
        made = await add_test(scene.ours, scene.endpoint)
        await scene.ours.deliveries.delivered(await claim_one(scene.ours, scene.endpoint), FAILED)
        event = make_test_event(scene.account.id)
        calls: dict[str, Action] = {
            "redelivery": lambda store: store.deliveries.redeliver(scene.account.id, made.id),
            "test": lambda store: store.deliveries.add_test(event, scene.endpoint.id),
        }
        refused = False
        try:
            await scene.interrupt(calls[kind], lambda other: pause(other, scene.endpoint))
        except EndpointPaused:
            refused = True
        assert refused <= scene.was_interrupted
        assert (DeliveryState.PENDING in await scene.states()) != scene.was_interrupted

    await at_every_step(play, least=5)


async def test_what_comes_once_an_endpoint_is_resumed_is_not_abandoned_by_the_pause_before() -> None:
    async def play(scene: Scene) -> None:
        old = await add_test(scene.ours, scene.endpoint)
        made: list[Delivery] = []

        async def resume_it(other: Store) -> None:
            await resume(other, scene.endpoint)
            made.append(await add_test(other, scene.endpoint))

        paused = replace(scene.endpoint, paused_reason=PauseReason.BY_HAND)
        done = await scene.interrupt(lambda store: store.endpoints.replace(paused), resume_it)
        states = {delivery.id: delivery.state for delivery in await deliveries_of(scene.other, scene.account)}
        if done is not None and made:
            assert states[made[0].id] is DeliveryState.PENDING
        elif done is not None:
            assert states == {old.id: DeliveryState.ABANDONED}

    await at_every_step(play, least=4)


@pytest.mark.parametrize("kind", ["event", "test"])
async def test_nothing_is_left_of_an_endpoint_that_is_removed_while_something_comes(kind: str) -> None:
    async def play(scene: Scene) -> None:
        await finish(scene.ours, scene.account)
        call: Action = spread
        if kind == "test":
            event = make_test_event(scene.account.id)
            call = lambda store: store.deliveries.add_test(event, scene.endpoint.id)  # noqa: E731
        await scene.interrupt(call, lambda other: other.endpoints.remove(scene.account.id, scene.endpoint.id))
        if scene.was_interrupted:
            assert await scene.rows("deliveries") == []
            assert [row for row in await scene.rows("events") if "test_of" in row] == []

    await at_every_step(play, least=5)


@pytest.mark.parametrize("kind", ["event", "test", "redelivery"])
async def test_nothing_is_left_of_what_comes_while_an_endpoint_is_removed(kind: str) -> None:
    async def play(scene: Scene) -> None:
        made = await add_test(scene.ours, scene.endpoint)
        actions: dict[str, Action] = {
            "event": lambda other: emit(other, scene.account),
            "test": lambda other: other.deliveries.add_test(make_test_event(scene.account.id), scene.endpoint.id),
            "redelivery": lambda other: other.deliveries.redeliver(scene.account.id, made.id),
        }
        await scene.interrupt(lambda store: store.endpoints.remove(scene.account.id, scene.endpoint.id), actions[kind])
        assert await scene.rows("deliveries") == []
        assert [row for row in await scene.rows("events") if "test_of" in row] == []

    await at_every_step(play, least=4)


async def test_a_change_by_hand_while_a_lane_is_given_back_is_kept() -> None:
    async def play(scene: Scene) -> None:
        await add_test(scene.ours, scene.endpoint)
        lane = await claim_lane(scene.ours)
        await scene.interrupt(
            lambda store: store.lanes.release_lease(lane, ILL),
            lambda other: change(other, scene.endpoint, description="new"),
        )
        endpoint = await scene.ours.endpoints.get(scene.account.id, scene.endpoint.id)
        assert endpoint is not None
        assert endpoint.description == ("new" if scene.was_interrupted else "")

    await at_every_step(play, least=3)


async def test_a_pause_while_a_lane_is_given_back_stays_as_it_was_made() -> None:
    async def play(scene: Scene) -> None:
        await add_test(scene.ours, scene.endpoint)
        lane = await claim_lane(scene.ours)
        paused: list[WebhookEndpoint] = []

        async def pause_it(other: Store) -> None:
            paused.append(await pause(other, scene.endpoint))

        await scene.interrupt(lambda store: store.lanes.release_lease(lane, ILL), pause_it)
        if paused:
            assert await scene.ours.endpoints.get(scene.account.id, scene.endpoint.id) == paused[0]
            assert await no_lane(scene.ours)

    await at_every_step(play, least=3)


async def test_a_delivery_is_claimed_by_one_whoever_comes_in_between() -> None:
    async def play(scene: Scene) -> None:
        for _ in range(3):
            await add_test(scene.ours, scene.endpoint)
        theirs: list[Delivery] = []

        async def claim(other: Store) -> None:
            theirs.extend(await other.deliveries.claim_due(scene.endpoint.id, LEASE, 2))

        ours = await scene.interrupt(lambda store: store.deliveries.claim_due(scene.endpoint.id, LEASE, 2), claim)
        assert not {our.id for our in ours} & {their.id for their in theirs}
        for delivery in (*ours, *theirs):
            assert await scene.ours.deliveries.hand_back(delivery)

    await at_every_step(play, least=3)


@pytest.mark.parametrize("kind", ["pause", "redelivery"])
async def test_what_changes_while_it_is_claimed_is_not_claimed_twice(kind: str) -> None:
    async def play(scene: Scene) -> None:
        made = await add_test(scene.ours, scene.endpoint)
        actions: dict[str, Action] = {
            "pause": lambda other: pause(other, scene.endpoint),
            "redelivery": lambda other: other.deliveries.redeliver(scene.account.id, made.id),
        }
        ours = await scene.interrupt(
            lambda store: store.deliveries.claim_due(scene.endpoint.id, LEASE, 2), actions[kind]
        )
        present = await scene.ours.deliveries.get(scene.account.id, made.id)
        assert present is not None
        if ours and present.state is DeliveryState.PENDING:
            assert ours == [present]
        due = present.state is DeliveryState.PENDING and not ours
        assert len(await scene.ours.deliveries.claim_due(scene.endpoint.id, LEASE, 2)) == int(due)

    await at_every_step(play, least=3)


async def test_a_failure_is_kept_and_stays_abandoned_whenever_the_pause_comes() -> None:
    async def play(scene: Scene) -> None:
        await add_test(scene.ours, scene.endpoint)
        claim = await claim_one(scene.ours, scene.endpoint)
        assert await scene.interrupt(
            lambda store: store.deliveries.retry(claim, FAILED, timedelta(seconds=2)),
            lambda other: pause(other, scene.endpoint),
        )
        (delivery,) = await deliveries_of(scene.ours, scene.account)
        assert (delivery.attempts, delivery.step) == ((FAILED,), 1)
        assert (delivery.state is DeliveryState.ABANDONED) == scene.was_interrupted

    await at_every_step(play, least=1)
