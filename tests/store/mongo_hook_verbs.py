"""What a call about endpoints or deliveries confirms, and how to see that it stays."""

from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

from serve_app.domain.errors import ServiceError
from serve_app.domain.webhook import AbandonReason, Delivery, DeliveryState, PauseReason
from tests.store.hooks import FAILED, REACHED, WELL, add_endpoint, claim_lane, emit, make_test_event
from tests.store.mongo_scene import IsKept, NotConfirmed, Scene
from tests.support import LEASE, NOON


async def an_endpoint(scene: Scene) -> IsKept:
    made = await scene.confirmed(lambda: add_endpoint(scene.store, scene.account))

    async def is_kept() -> bool:
        found = await scene.sound.endpoints.get(scene.account.id, made.id)
        return found is not None and found == made

    return is_kept


async def a_paused_endpoint(scene: Scene) -> IsKept:
    endpoint = await add_endpoint(scene.sound, scene.account)
    await emit(scene.sound, scene.account)
    paused = replace(endpoint, paused_reason=PauseReason.BY_HAND)
    if await scene.confirmed(lambda: scene.store.endpoints.replace(paused)) is None:
        raise NotConfirmed

    async def is_kept() -> bool:
        return await scene.sound.deliveries.claim_due(endpoint.id, LEASE, 1) == []

    return is_kept


async def a_removed_endpoint(scene: Scene) -> IsKept:
    endpoint = await add_endpoint(scene.sound, scene.account)
    await emit(scene.sound, scene.account)
    await scene.confirmed(lambda: scene.store.endpoints.remove(scene.account.id, endpoint.id))

    async def is_kept() -> bool:
        return await scene.sound.endpoints.of_account(scene.account.id) == []

    return is_kept


async def a_lane_given_back_with_work(scene: Scene) -> IsKept:
    endpoint = await add_endpoint(scene.sound, scene.account)
    await emit(scene.sound, scene.account)
    lane = await claim_lane(scene.sound)

    async def serve() -> None:
        """The attempt that reaches it cannot be written down, so the delivery is still to be made."""
        with suppress(ServiceError):
            for claim in await scene.store.deliveries.claim_due(endpoint.id, LEASE, 1):
                await scene.store.deliveries.delivered(claim, REACHED)
        await scene.store.lanes.release_lease(lane, WELL)

    await scene.confirmed(serve)

    async def is_kept() -> bool:
        scene.clock.advance(3600)
        collections = scene.client.get_database("invoices")
        pending = await collections.deliveries.count_documents({"state": str(DeliveryState.PENDING)})
        return not pending or await scene.sound.lanes.claim(LEASE, slow=False) != []

    return is_kept


async def a_delivery_that_arrived(scene: Scene) -> IsKept:
    claim = await scene.claimed_delivery()
    if not await scene.confirmed(lambda: scene.store.deliveries.delivered(claim, REACHED)):
        raise NotConfirmed
    return _is_in(scene, claim, DeliveryState.DELIVERED)


async def a_delivery_to_be_tried_again(scene: Scene) -> IsKept:
    claim = await scene.claimed_delivery()
    if not await scene.confirmed(lambda: scene.store.deliveries.retry(claim, FAILED, timedelta(minutes=1))):
        raise NotConfirmed

    async def is_kept() -> bool:
        found = await scene.sound.deliveries.get(scene.account.id, claim.id)
        return found is not None and len(found.attempts) == 1

    return is_kept


async def an_abandoned_delivery(scene: Scene) -> IsKept:
    claim, reason = await scene.claimed_delivery(), AbandonReason.SCHEDULE_OVER
    if not await scene.confirmed(lambda: scene.store.deliveries.abandon(claim, FAILED, reason)):
        raise NotConfirmed
    return _is_in(scene, claim, DeliveryState.ABANDONED)


async def a_redelivery(scene: Scene) -> IsKept:
    claim = await scene.claimed_delivery()
    await scene.sound.deliveries.delivered(claim, REACHED)
    await scene.confirmed(lambda: scene.store.deliveries.redeliver(scene.account.id, claim.id))
    return _is_in(scene, claim, DeliveryState.PENDING)


async def all_abandoned_redelivered(scene: Scene) -> IsKept:
    claim = await scene.claimed_delivery()
    await scene.sound.deliveries.abandon(claim, FAILED, AbandonReason.SCHEDULE_OVER)
    await scene.confirmed(lambda: scene.store.deliveries.redeliver_abandoned(scene.account.id, NOON - LEASE))
    return _is_in(scene, claim, DeliveryState.PENDING)


async def a_test_event(scene: Scene) -> IsKept:
    endpoint, event = await add_endpoint(scene.sound, scene.account), make_test_event(scene.account.id)
    made = await scene.confirmed(lambda: scene.store.deliveries.add_test(event, endpoint.id))
    return _is_in(scene, made, DeliveryState.PENDING)


def _is_in(scene: Scene, delivery: Delivery, state: DeliveryState) -> IsKept:
    async def is_kept() -> bool:
        found = await scene.sound.deliveries.get(scene.account.id, delivery.id)
        return found is not None and found.state is state

    return is_kept


async def a_delivery_handed_back(scene: Scene) -> IsKept:
    claim = await scene.claimed_delivery()
    if not await scene.confirmed(lambda: scene.store.deliveries.hand_back(claim)):
        raise NotConfirmed

    async def is_kept() -> bool:
        return len(await scene.sound.deliveries.claim_due(claim.endpoint_id, LEASE, 1)) == 1

    return is_kept
