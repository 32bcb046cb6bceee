"""The screens of deliveries."""

import json
import re
import shlex
from html import unescape

import pytest

from serve_app.domain.account import Account, Plan
from serve_app.domain.clock import utc_now
from serve_app.domain.ids import new_id
from serve_app.domain.person import Role
from serve_app.domain.query import DeliveryQuery
from serve_app.domain.webhook import Attempt, Delivery, DeliveryState, WebhookEndpoint
from serve_app.services.webhooks.signature import signed_headers
from serve_app.store.base import Store
from tests.support import LEASE, NOON, UNKNOWN_ID, Clock
from tests.support.webhooks import URL, abandon_all, add_delivery, claim_all, manage_endpoints
from tests.web.conftest import Browse


@pytest.fixture
async def endpoint(store: Store, clock: Clock, account: Account) -> WebhookEndpoint:
    return (await manage_endpoints(store, clock).register(account.id, URL, description="ERP"))[0]


@pytest.fixture
async def delivery(store: Store, clock: Clock, account: Account, endpoint: WebhookEndpoint) -> Delivery:
    """One that was attempted once, without success."""
    added = await add_delivery(store, clock, account.id, endpoint.id)
    (claim,) = await claim_all(store, endpoint.id)
    headers = {"webhook-id": added.event_id, "webhook-timestamp": "1779019207"}
    failed = Attempt(NOON, 1.5, 500, body="<b>no</b>", headers=headers)
    await store.deliveries.retry(claim, failed, utc_now() - NOON + 10 * LEASE)
    return added


async def states(store: Store, account: Account) -> list[str]:
    return [each.state for each in (await store.deliveries.page(account.id, DeliveryQuery(), 100)).items]


async def test_the_list_is_filtered_by_its_address(
    browse: Browse, store: Store, clock: Clock, account: Account, endpoint: WebhookEndpoint, delivery: Delivery
) -> None:
    other = await add_delivery(store, clock, account.id, endpoint.id)
    (claim,) = await claim_all(store, endpoint.id)
    await store.deliveries.delivered(claim, Attempt(NOON, 0.1, 200))
    for query, shown in (
        ("", {delivery.id, other.id}),
        ("state=delivered", {other.id}),
        ("state=pending", {delivery.id}),
        (f"event={other.event_id}", {other.id}),
        (f"endpoint={endpoint.id}&since=2026-05-17&until=2026-05-17", {delivery.id, other.id}),
        ("since=2026-05-18", set()),
        ("until=2026-05-16", set()),
    ):
        page = await browse().get(f"/app/deliveries?{query}")
        assert page.status_code == 200
        assert set(re.findall(r'name="id" value="([^"]+)"', page.text)) == {str(id) for id in shown}, query
    assert "No delivery matches" in page.text


@pytest.mark.parametrize("query", ["state=lost", "endpoint=x", "since=yesterday", "after=x"])
async def test_a_filter_that_makes_no_sense_is_reported(browse: Browse, query: str) -> None:
    answer = await browse().get(f"/app/deliveries?{query}")
    assert answer.status_code == 400
    assert "“" in answer.text


async def test_a_long_list_goes_on(
    browse: Browse, store: Store, clock: Clock, account: Account, endpoint: WebhookEndpoint
) -> None:
    for _ in range(51):
        await add_delivery(store, clock, account.id, endpoint.id)
    browser = browse()
    first = (await browser.get("/app/deliveries?state=pending")).text
    path = unescape(re.findall(r'rel="next" href="([^"]+)"', first)[0])
    assert "state=pending" in path
    assert (await browser.get(path)).text.count('name="id"') == 1


async def test_a_delivery_shows_what_was_sent_and_what_came_back(browse: Browse, delivery: Delivery) -> None:
    page = (await browse().get(f"/app/deliveries/{delivery.id}")).text
    assert "Answered 500" in page
    assert "&lt;b&gt;no" in page
    assert "webhook-timestamp: 1779019207" in page
    assert "test-event.pdf" in page
    assert "data-countdown" in page


async def test_the_request_is_signed_on_demand(
    browse: Browse, store: Store, account: Account, delivery: Delivery, endpoint: WebhookEndpoint, clock: Clock
) -> None:
    browser, path = browse(), f"/app/deliveries/{delivery.id}"
    assert "curl &#39;" not in (await browser.get(path)).text
    page = (await browser.post(f"{path}/sign")).text
    assert "5 minutes" in page
    command = unescape(re.findall(r'data-copy="(curl [^"]+)"', page)[0])
    _, url, *words = shlex.split(command)
    headers = dict(word.split(": ", 1) for word in words if ": " in word and not word.startswith("{"))
    body = words[words.index("--data-binary") + 1]
    secret = await manage_endpoints(store, clock).reveal_secret(account.id, endpoint.id)
    assert url == URL
    assert json.loads(body)["id"] == delivery.event_id
    assert headers == signed_headers([secret], delivery.event_id, int(NOON.timestamp()), body.encode())
    entries = (await store.audit.page(account.id, 10)).items
    assert [entry.action for entry in entries] == ["delivery.signed"]


async def test_one_is_redelivered(browse: Browse, store: Store, account: Account, delivery: Delivery) -> None:
    answer = await browse().post(f"/app/deliveries/{delivery.id}/redeliver")
    assert answer.headers["location"] == f"/app/deliveries/{delivery.id}"
    again = await store.deliveries.get(account.id, delivery.id)
    assert again is not None
    assert again.step == 0


async def test_selected_ones_are_redelivered(
    browse: Browse, store: Store, clock: Clock, account: Account, endpoint: WebhookEndpoint
) -> None:
    three = [await add_delivery(store, clock, account.id, endpoint.id) for _ in range(3)]
    await abandon_all(store, endpoint.id)
    chosen = [str(each.id) for each in three[:2]]
    form = {"id": chosen, "back": "/app/deliveries?state=abandoned"}
    answer = await browse().post("/app/deliveries/redeliver", data=form)
    assert answer.headers["location"] == "/app/deliveries?state=abandoned"
    assert sorted(await states(store, account)) == ["abandoned", "pending", "pending"]
    away = await browse().post("/app/deliveries/redeliver", data={"id": chosen, "back": "https://evil.example"})
    assert away.headers["location"] == "/app/deliveries"


async def test_all_that_failed_since_a_day_are_redelivered(
    browse: Browse, store: Store, clock: Clock, account: Account, endpoint: WebhookEndpoint
) -> None:
    for _ in range(3):
        await add_delivery(store, clock, account.id, endpoint.id)
    await abandon_all(store, endpoint.id)
    browser = browse()
    for since, state in (("2026-05-18", DeliveryState.ABANDONED), ("2026-05-17", DeliveryState.PENDING)):
        await browser.post("/app/deliveries/redeliver-failed", data={"since": since, "endpoint": str(endpoint.id)})
        assert await states(store, account) == [state] * 3
    assert (await browser.post("/app/deliveries/redeliver-failed", data={"since": ""})).status_code == 400


async def test_a_paused_endpoint_gets_nothing_again(
    browse: Browse, store: Store, clock: Clock, account: Account, endpoint: WebhookEndpoint, delivery: Delivery
) -> None:
    await manage_endpoints(store, clock).pause(account.id, endpoint.id)
    browser = browse()
    await browser.post(f"/app/deliveries/{delivery.id}/redeliver")
    await browser.post("/app/deliveries/redeliver", data={"id": [str(delivery.id)]})
    assert await states(store, account) == ["abandoned"]


ACTS = ("redeliver", "sign")


@pytest.mark.parametrize("role", [Role.REVIEWER, Role.VIEWER])
async def test_only_owners_see_deliveries(browse: Browse, delivery: Delivery, role: Role) -> None:
    browser = browse(role)
    for path in ("/app/deliveries", f"/app/deliveries/{delivery.id}"):
        assert (await browser.get(path)).status_code == 403
    paths = [f"{delivery.id}/{act}" for act in ACTS]
    for path in ("redeliver", "redeliver-failed", *paths):
        assert (await browser.post(f"/app/deliveries/{path}")).status_code == 403


async def test_another_accounts_delivery_is_not_there(browse: Browse, store: Store, clock: Clock) -> None:
    other = Account(new_id(), Plan.PRO, NOON)
    await store.accounts.add(other)
    theirs, _ = await manage_endpoints(store, clock).register(other.id, URL)
    added = await add_delivery(store, clock, other.id, theirs.id)
    await abandon_all(store, theirs.id)
    browser = browse()
    for id in (added.id, UNKNOWN_ID, "nonsense"):
        assert (await browser.get(f"/app/deliveries/{id}")).status_code == 404
        for act in ACTS:
            assert (await browser.post(f"/app/deliveries/{id}/{act}")).status_code == 404
        assert (await browser.post("/app/deliveries/redeliver", data={"id": str(id)})).status_code == 404
    assert (await browser.get(f"/app/deliveries?endpoint={theirs.id}")).status_code == 404
    form = {"since": "2026-05-17", "endpoint": str(theirs.id)}
    assert (await browser.post("/app/deliveries/redeliver-failed", data=form)).status_code == 404
    assert await states(store, other) == ["abandoned"]
