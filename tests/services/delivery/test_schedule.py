"""The schedule of a delivery, at a clock that tests move: at once, then 2 s, 5 min, 30 min, 2 h, 8 h and 24 h later;
from the third attempt on up to a tenth later still, half an hour at most."""

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from statistics import mean
from uuid import UUID

import pytest

from serve_app.domain.ids import new_id
from serve_app.domain.webhook import AbandonReason, DeliveryState, EndpointSecret, PauseReason
from serve_app.net.post import Answer
from serve_app.services.delivery.schedule import delay_after
from tests.services.delivery.conftest import SECRET, URL, Webhooks
from tests.services.delivery.receivers import BROKEN, CLOSED, HUNG, NOT_FOUND, OK, REDIRECT

DELAYS = [2, 5 * 60, 30 * 60, 2 * 3600, 8 * 3600, 24 * 3600]
# A moment before each attempt, nothing may be sent yet.
MOMENT = 0.001


async def live_through(webhooks: Webhooks, delays: list[int]) -> list[float]:
    """Seconds between the posts, while the clock advances by these delays."""
    await webhooks.deliver()
    for delay in delays:
        before = len(webhooks.receivers.posts[URL])
        webhooks.clock.advance(delay - MOMENT)
        await webhooks.deliver()
        assert len(webhooks.receivers.posts[URL]) == before
        webhooks.clock.now = (await webhooks.only()).next_attempt_at or webhooks.clock.now
        await webhooks.deliver()
    times = [post.at for post in webhooks.receivers.posts[URL]]
    return [round((late - early).total_seconds(), 3) for early, late in pairwise(times)]


def are_in_time(gaps: list[float], delays: list[int]) -> bool:
    """Whether each gap is its delay, or as much longer as it may be."""
    longest = [2.0, *(delay + min(delay / 10, 1800) for delay in DELAYS[1:])]
    return len(gaps) == len(delays) and all(
        delay <= gap <= most for gap, delay, most in zip(gaps, delays, longest, strict=False)
    )


@pytest.mark.parametrize("answer", [BROKEN, NOT_FOUND, HUNG, CLOSED, REDIRECT])
async def test_failures_of_every_kind_are_retried_by_the_schedule_and_then_abandoned(
    webhooks: Webhooks, answer: Answer
) -> None:
    await webhooks.endpoint()
    webhooks.receivers.answers[URL] = [answer]
    await webhooks.emit()
    assert are_in_time(await live_through(webhooks, DELAYS), DELAYS)
    webhooks.clock.advance(30 * 86_400)
    await webhooks.deliver()
    delivery = await webhooks.only()
    assert (delivery.state, delivery.abandoned_reason) == (DeliveryState.ABANDONED, AbandonReason.SCHEDULE_OVER)
    assert len(webhooks.receivers.posts[URL]) == len(delivery.attempts) == 7
    assert {attempt.status for attempt in delivery.attempts} == {answer.status}
    assert all(attempt.error or attempt.status in (404, 500) for attempt in delivery.attempts)


async def test_one_that_answers_on_the_sixth_attempt_gets_no_seventh(webhooks: Webhooks) -> None:
    await webhooks.endpoint()
    webhooks.receivers.answers[URL] = [BROKEN, HUNG, CLOSED, NOT_FOUND, REDIRECT, Answer(0.1, 204, body="")]
    await webhooks.emit()
    assert are_in_time(await live_through(webhooks, DELAYS[:5]), DELAYS[:5])
    delivery = await webhooks.only()
    assert (delivery.state, delivery.next_attempt_at) == (DeliveryState.DELIVERED, None)
    assert [attempt.status for attempt in delivery.attempts] == [500, None, None, 404, 302, 204]
    webhooks.clock.advance(30 * 86_400)
    await webhooks.deliver()
    assert len(webhooks.receivers.posts[URL]) == 6


def test_deliveries_that_fail_together_are_not_retried_together() -> None:
    ids = [new_id() for _ in range(1000)]
    assert {delay_after(1, id) for id in ids} == {timedelta(seconds=2)}
    for attempts, delay in enumerate(DELAYS[1:], 2):
        spread = min(delay / 10, 1800)
        shares = [((delay_after(attempts, id) or timedelta(0)).total_seconds() - delay) / spread for id in ids]
        assert 0 <= min(shares) < 0.05
        assert 0.95 < max(shares) <= 1
        assert 0.45 < mean(shares) < 0.55


def test_a_delivery_keeps_its_delays_over_a_restart() -> None:
    known = UUID("01890a5d-ac96-774b-bcce-b302099a8057")
    assert delay_after(2, known) == timedelta(seconds=307.780061)
    assert delay_after(7, known) is None


async def test_every_attempt_is_newly_timestamped_and_signed_and_has_the_same_id_and_body(webhooks: Webhooks) -> None:
    await webhooks.endpoint()
    webhooks.receivers.answers[URL] = [BROKEN]
    event_id = await webhooks.emit()
    await live_through(webhooks, DELAYS[:2])
    posts = webhooks.receivers.posts[URL]
    payload = (await webhooks.store.deliveries.payloads([await webhooks.only()]))[event_id]
    assert {post.headers["webhook-id"] for post in posts} == {event_id}
    assert {post.body for post in posts} == {payload.text.encode()}
    assert [int(post.headers["webhook-timestamp"]) for post in posts] == [int(post.at.timestamp()) for post in posts]
    assert len({post.headers["webhook-signature"] for post in posts}) == 3


async def test_a_pause_ends_the_schedule_and_a_redelivery_after_it_begins_it_again(webhooks: Webhooks) -> None:
    endpoint = await webhooks.endpoint()
    webhooks.receivers.answers[URL] = [BROKEN, BROKEN, OK]
    event_id = await webhooks.emit()
    await webhooks.deliver()
    await webhooks.store.endpoints.replace(replace(await webhooks.present(endpoint), paused_reason=PauseReason.BY_HAND))
    webhooks.clock.advance(86_400)
    await webhooks.deliver()
    delivery = await webhooks.only()
    assert (delivery.state, delivery.abandoned_reason) == (DeliveryState.ABANDONED, AbandonReason.ENDPOINT_PAUSED)
    assert len(webhooks.receivers.posts[URL]) == 1

    await webhooks.store.endpoints.replace(replace(await webhooks.present(endpoint), paused_reason=None))
    await webhooks.deliver()
    assert len(webhooks.receivers.posts[URL]) == 1
    await webhooks.store.deliveries.redeliver(webhooks.account.id, delivery.id)
    await webhooks.deliver()
    webhooks.clock.advance(DELAYS[0])
    await webhooks.deliver()
    again = await webhooks.only()
    assert (again.state, len(again.attempts)) == (DeliveryState.DELIVERED, 3)
    assert {post.headers["webhook-id"] for post in webhooks.receivers.posts[URL]} == {event_id}


async def test_while_two_secrets_are_valid_both_sign(webhooks: Webhooks) -> None:
    seal, until = webhooks.sealer.seal, webhooks.clock.now + timedelta(hours=24)
    await webhooks.endpoint(secrets=(EndpointSecret(seal("whsec_bmV3")), EndpointSecret(seal(SECRET), until)))
    webhooks.receivers.answers[URL] = [BROKEN]
    await webhooks.emit()
    await live_through(webhooks, DELAYS)
    signatures = [len(post.headers["webhook-signature"].split()) for post in webhooks.receivers.posts[URL]]
    # The last attempt comes after the old secret has ended.
    assert signatures == [2, 2, 2, 2, 2, 2, 1]


async def test_what_hangs_is_tried_again_later_than_what_was_sent_before(webhooks: Webhooks) -> None:
    """Delays count from the end of the attempt before: a receiver that is slow is not hurried."""
    await webhooks.endpoint()

    async def take_ten_seconds(url: str) -> None:
        webhooks.clock.advance(10)

    webhooks.receivers.meanwhile = take_ten_seconds
    webhooks.receivers.answers[URL] = [HUNG]
    await webhooks.emit()
    await webhooks.deliver()
    webhooks.clock.advance(DELAYS[0])
    await webhooks.deliver()
    first, second = webhooks.receivers.posts[URL]
    assert (second.at - first.at).total_seconds() == 12


async def test_a_secret_that_cannot_be_read_is_shown_in_the_log_of_deliveries(webhooks: Webhooks) -> None:
    await webhooks.endpoint(secrets=(EndpointSecret("sealed by another key"),))
    await webhooks.emit()
    await webhooks.deliver()
    (attempt,) = (await webhooks.only()).attempts
    assert (attempt.status, attempt.error) == (
        None,
        "the encryption key cannot decrypt the endpoint's secret",
    )
    assert URL not in webhooks.receivers.posts


async def test_the_log_says_when_an_attempt_began(webhooks: Webhooks) -> None:
    await webhooks.endpoint()
    await webhooks.emit()
    began = webhooks.clock.now

    async def take_long(_: str) -> None:
        webhooks.clock.advance(7)

    webhooks.receivers.meanwhile = take_long
    await webhooks.deliver()
    (attempt,) = (await webhooks.only()).attempts
    assert attempt.at == began
