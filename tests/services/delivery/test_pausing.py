"""Endpoints that want nothing more, or fail for days, are paused; what was answered before a change counts no more."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from serve_app.domain.webhook import AbandonReason, DeliveryState, PauseReason, WebhookEndpoint
from serve_app.services.webhooks.endpoints import EndpointService
from serve_app.services.webhooks.sample_events import SampleEvents
from tests.services.delivery.conftest import URL, Webhooks
from tests.services.delivery.receivers import BROKEN, GONE, OK

DAY = 86_400
DELAYS = (2, 5 * 60, 30 * 60, 2 * 3600, 8 * 3600, 24 * 3600)
NEW_URL = "https://new.example/"


async def exhaust(webhooks: Webhooks) -> None:
    """The whole schedule of what is due now."""
    await webhooks.deliver()
    for delay in DELAYS:
        # Each may be a tenth longer.
        webhooks.clock.advance(1.1 * delay)
        await webhooks.deliver()


async def test_410_pauses_the_endpoint_at_once(webhooks: Webhooks) -> None:
    endpoint = await webhooks.endpoint()
    webhooks.receivers.answers[URL] = [GONE]
    first = await webhooks.emit()
    await webhooks.deliver()
    paused = await webhooks.present(endpoint)
    assert (paused.paused_reason, paused.is_owner_unnotified) == (PauseReason.GONE, True)
    delivery = await webhooks.only()
    assert (delivery.abandoned_reason, len(delivery.attempts)) == (AbandonReason.ENDPOINT_PAUSED, 1)
    await webhooks.emit()
    assert [delivery.event_id for delivery in await webhooks.log()] == [first]


async def test_after_a_410_no_other_attempt_is_begun(webhooks: Webhooks) -> None:
    await webhooks.endpoint()
    webhooks.receivers.answers[URL] = [GONE]
    for _ in range(30):
        await webhooks.emit()
    await webhooks.deliver()
    # As many as are under way at a time.
    assert len(webhooks.receivers.posts[URL]) <= 8
    assert {delivery.state for delivery in await webhooks.log()} == {DeliveryState.ABANDONED}


async def test_an_endpoint_that_fails_every_delivery_for_five_days_is_paused(webhooks: Webhooks) -> None:
    endpoint = await webhooks.endpoint()
    webhooks.receivers.answers[URL] = [BROKEN]
    for _ in range(3):
        await webhooks.emit()
        await exhaust(webhooks)
        assert (await webhooks.present(endpoint)).is_active
    await webhooks.emit()
    await exhaust(webhooks)
    paused = await webhooks.present(endpoint)
    assert (paused.paused_reason, paused.is_owner_unnotified) == (PauseReason.FAILING, True)
    newest = (await webhooks.log())[0]
    assert (newest.abandoned_reason, len(newest.attempts)) == (AbandonReason.SCHEDULE_OVER, 7)


async def test_one_success_in_five_days_is_enough(webhooks: Webhooks) -> None:
    endpoint = await webhooks.endpoint()
    webhooks.receivers.answers[URL] = [*[BROKEN] * 7, OK, BROKEN]
    for _ in range(5):
        await webhooks.emit()
        await exhaust(webhooks)
    assert (await webhooks.present(endpoint)).is_active


async def test_silence_is_no_failure(webhooks: Webhooks) -> None:
    """After days without an event, the first attempt of the next one does not pause the endpoint."""
    endpoint = await webhooks.endpoint()
    webhooks.receivers.answers[URL] = [*[BROKEN] * 8, OK]
    await webhooks.emit()
    await exhaust(webhooks)
    webhooks.clock.advance(5 * DAY)
    await webhooks.emit()
    await webhooks.deliver()
    assert (await webhooks.present(endpoint)).is_active
    webhooks.clock.advance(DELAYS[0])
    await webhooks.deliver()
    assert (await webhooks.log())[0].state is DeliveryState.DELIVERED
    assert (await webhooks.present(endpoint)).failing_since is None


async def test_a_failed_test_event_is_no_failure_of_the_endpoint(webhooks: Webhooks) -> None:
    endpoint = await webhooks.endpoint()
    webhooks.receivers.answers[URL] = [BROKEN]
    await SampleEvents(webhooks.store.endpoints, webhooks.store.deliveries, webhooks.clock).send(
        webhooks.account.id, endpoint.id
    )
    await webhooks.deliver()
    assert len(webhooks.receivers.posts[URL]) == 1
    assert (await webhooks.present(endpoint)).failing_since is None


async def test_what_another_url_answers_is_held_against_nobody(webhooks: Webhooks, manage: EndpointService) -> None:
    endpoint = await webhooks.endpoint()
    webhooks.receivers.answers = {URL: [GONE], NEW_URL: [OK]}

    async def move(url: str) -> None:
        if url == URL:
            await manage.change_url(endpoint.account_id, endpoint.id, NEW_URL)

    webhooks.receivers.meanwhile = move
    await webhooks.emit()
    await webhooks.deliver()
    moved = await webhooks.present(endpoint)
    assert (moved.url, moved.is_active, moved.failing_since) == (NEW_URL, True, None)
    webhooks.clock.advance(DELAYS[0])
    await webhooks.deliver()
    assert (await webhooks.only()).state is DeliveryState.DELIVERED


async def test_an_endpoint_that_was_resumed_meanwhile_is_given_another_chance(
    webhooks: Webhooks, manage: EndpointService
) -> None:
    endpoint = await webhooks.endpoint(failing_since=webhooks.clock.now)
    webhooks.clock.advance(4 * DAY)
    webhooks.receivers.answers[URL] = [GONE]

    async def resume(url: str) -> None:
        await manage.pause(endpoint.account_id, endpoint.id)
        await manage.resume(endpoint.account_id, endpoint.id)

    webhooks.receivers.meanwhile = resume
    await webhooks.emit()
    await webhooks.deliver()
    resumed = await webhooks.present(endpoint)
    assert (resumed.is_active, resumed.failing_since) == (True, None)


async def test_a_change_by_the_owner_meanwhile_is_not_undone_by_a_pause(webhooks: Webhooks) -> None:
    endpoint = await webhooks.endpoint()
    webhooks.receivers.answers[URL] = [GONE]
    await webhooks.emit()

    async def describe(url: str) -> None:
        await webhooks.store.endpoints.replace(replace(await webhooks.present(endpoint), description="shop"))

    webhooks.receivers.meanwhile = describe
    await webhooks.deliver()
    webhooks.receivers.meanwhile = None
    # It was not paused, because it was changed; the next attempt shows whether it accepts deliveries.
    webhooks.clock.advance(DELAYS[0])
    await webhooks.deliver()
    paused = await webhooks.present(endpoint)
    assert (paused.paused_reason, paused.description) == (PauseReason.GONE, "shop")


CHANGES: dict[str, Callable[[EndpointService, WebhookEndpoint], Awaitable[object]]] = {
    "url": lambda manage, endpoint: manage.change_url(endpoint.account_id, endpoint.id, NEW_URL),
    "secret": lambda manage, endpoint: manage.rotate_secret(endpoint.account_id, endpoint.id),
    "pause": lambda manage, endpoint: manage.pause(endpoint.account_id, endpoint.id),
    "removal": lambda manage, endpoint: manage.delete(endpoint.account_id, endpoint.id),
}


@pytest.mark.parametrize("kind", list(CHANGES))
async def test_a_change_reaches_attempts_that_were_not_begun(
    webhooks: Webhooks, manage: EndpointService, kind: str
) -> None:
    """But for those under way, and what was claimed before: eight and a batch of 32."""
    endpoint = await webhooks.endpoint()
    for _ in range(100):
        await webhooks.emit()
    posts = webhooks.receivers.posts[URL]
    before: list[int] = []

    async def change(url: str) -> None:
        await asyncio.sleep(0.01)
        if not before and len(posts) >= 8:
            before.append(0)
            await CHANGES[kind](manage, endpoint)
            before[0] = len(posts)

    webhooks.receivers.meanwhile = change
    # The lane ends, and is taken up again.
    for _ in range(2):
        await webhooks.deliver()
    old = [post for post in posts if len(post.headers["webhook-signature"].split()) == 1]
    assert len(old) - before[0] <= 8 + 32
    new = len(webhooks.receivers.posts[NEW_URL]) + len(posts) - len(old)
    assert new == (100 - len(old) if kind in ("url", "secret") else 0)
