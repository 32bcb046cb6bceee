"""The screens of webhook endpoints."""

import re

import httpx
import pytest

from serve_app.domain.account import Account, Plan
from serve_app.domain.event import ENDS_OF_RUNS, EventType
from serve_app.domain.ids import new_id
from serve_app.domain.person import Role
from serve_app.domain.webhook import Attempt, PauseReason, WebhookEndpoint
from serve_app.net.guard import Guard
from serve_app.store.base import Store
from tests.support import NOON, UNKNOWN_ID, Clock
from tests.support.webhooks import URL, add_delivery, claim_all, look_up, manage_endpoints
from tests.web.conftest import Browse

ENDS = {"type": [str(type) for type in ENDS_OF_RUNS]}


@pytest.fixture(autouse=True)
def names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every name has a public address, so that no test asks a server."""
    monkeypatch.setattr("serve_app.wiring.network.Guard", lambda networks=(), **others: Guard(networks, lookup=look_up))


@pytest.fixture
async def endpoint(store: Store, clock: Clock, account: Account) -> WebhookEndpoint:
    return (await manage_endpoints(store, clock).register(account.id, URL, description="ERP <b>"))[0]


async def present(store: Store, endpoint: WebhookEndpoint) -> WebhookEndpoint:
    found = await store.endpoints.get(endpoint.account_id, endpoint.id)
    assert found is not None
    return found


async def actions(store: Store, account: Account) -> list[str]:
    return [entry.action for entry in (await store.audit.page(account.id, 10)).items]


async def test_an_endpoint_is_registered_and_its_secret_shown(browse: Browse, store: Store, account: Account) -> None:
    browser = browse()
    assert "No endpoints yet" in (await browser.get("/app/webhooks")).text
    answer = await browser.post("/app/webhooks/new", data={"url": URL, "description": "ERP", **ENDS})
    assert "whsec_" in answer.text
    (endpoint,) = await store.endpoints.of_account(account.id)
    assert (endpoint.url, endpoint.types, endpoint.description) == (URL, (), "ERP")
    listed = (await browser.get("/app/webhooks")).text
    assert "ERP" in listed
    assert "whsec_" not in listed
    assert await actions(store, account) == ["webhook.registered"]


async def test_further_events_come_only_to_who_ticks_them(browse: Browse, store: Store, account: Account) -> None:
    form = (await browse().get("/app/webhooks/new")).text
    ticked = re.findall(r'name="type" value="([a-z.]+)" checked', form)
    assert ticked == list(ENDS_OF_RUNS)
    everything = {"type": [str(type) for type in EventType]}
    await browse().post("/app/webhooks/new", data={"url": URL, **everything})
    (endpoint,) = await store.endpoints.of_account(account.id)
    assert all(endpoint.wants(type) for type in EventType)


@pytest.mark.parametrize(
    ("form", "reason"),
    [
        ({"url": "http://hooks.example.com/", **ENDS}, "must begin with https://"),
        ({"url": "https://inside.example.com/", **ENDS}, "no public address"),
        ({"url": "https://user:secret@hooks.example.com/", **ENDS}, "The URL"),
        ({"url": "", **ENDS}, "The URL"),
        ({"url": URL}, "at least one event type"),
        ({"url": URL, "type": "invoice.lost"}, "is not one of"),
        ({"url": URL, "description": "x" * 201, **ENDS}, "at most 200"),
    ],
)
async def test_a_refusal_says_why_and_keeps_what_was_typed(
    browse: Browse, store: Store, account: Account, form: dict[str, str], reason: str
) -> None:
    answer = await browse().post("/app/webhooks/new", data=form)
    assert answer.status_code == 400
    assert reason in answer.text
    assert f'value="{form["url"]}"' in answer.text
    assert await store.endpoints.of_account(account.id) == []


async def test_an_endpoints_page_shows_its_health(
    browse: Browse, store: Store, clock: Clock, account: Account, endpoint: WebhookEndpoint
) -> None:
    for status in (200, 200, 200, 500):
        await add_delivery(store, clock, account.id, endpoint.id)
        (claim,) = await claim_all(store, endpoint.id)
        await store.deliveries.delivered(claim, Attempt(clock.now, 0.25, status))
    for path in ("/app/webhooks", f"/app/webhooks/{endpoint.id}"):
        page = (await browse().get(path)).text
        assert "ERP &lt;b&gt;" in page
        assert "ERP <b>" not in page
        assert "75%" in page
        assert "0.25" in page


async def test_settings_are_changed_together(browse: Browse, store: Store, endpoint: WebhookEndpoint) -> None:
    form = {"url": f"{URL}/2", "description": "till", "type": "invoice.failed"}
    answer = await browse().post(f"/app/webhooks/{endpoint.id}/settings", data=form)
    assert answer.status_code == 303
    changed = await present(store, endpoint)
    assert (changed.url, changed.description, changed.types) == (f"{URL}/2", "till", (EventType.FAILED,))
    refused = await browse().post(f"/app/webhooks/{endpoint.id}/settings", data=form | {"url": "ftp://x"})
    assert refused.status_code == 400
    assert "must begin with https://" in refused.text


async def test_pausing_says_what_will_be_lost(
    browse: Browse, store: Store, clock: Clock, account: Account, endpoint: WebhookEndpoint
) -> None:
    browser, path = browse(), f"/app/webhooks/{endpoint.id}"
    for _ in range(2):
        await add_delivery(store, clock, account.id, endpoint.id)
    assert "2 pending deliveries" in (await browser.get(f"{path}/pause")).text
    await browser.post(f"{path}/pause")
    assert (await present(store, endpoint)).paused_reason is PauseReason.BY_HAND
    assert "Somebody paused it" in (await browser.get(path)).text
    await browser.post(f"{path}/resume")
    assert (await present(store, endpoint)).is_active
    assert await actions(store, account) == ["webhook.resumed", "webhook.paused"]


async def test_the_secret_is_shown_and_replaced_with_a_day_of_both(
    browse: Browse, store: Store, account: Account, endpoint: WebhookEndpoint
) -> None:
    browser, path = browse(), f"/app/webhooks/{endpoint.id}"
    shown = await browser.post(f"{path}/secret")
    assert shown.headers["cache-control"] == "no-store"
    old = re.findall(r"whsec_[\w+/=]+", shown.text)[0]
    rotated = await browser.post(f"{path}/rotate")
    new = re.findall(r"whsec_[\w+/=]+", rotated.text)[0]
    assert new != old
    assert len((await present(store, endpoint)).secrets) == 2
    assert "whsec_" not in (await browser.get(path)).text
    assert await actions(store, account) == ["webhook.secret_rotated", "webhook.secret_shown"]


async def test_a_key_pair_is_added_replaced_and_removed(
    browse: Browse,
    store: Store,
    clock: Clock,
    account: Account,
    endpoint: WebhookEndpoint,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("serve_app.web.webhooks.routes.utc_now", clock)
    browser, path = browse(), f"/app/webhooks/{endpoint.id}"
    assert "whpk_" not in (await browser.get(path)).text
    assert "The signature with the secret stays" in (await browser.get(path)).text
    await browser.post(f"{path}/key")
    (first,) = (await present(store, endpoint)).signing_keys
    assert f"{first.public_key}</code>" in (await browser.get(path)).text
    assert "24 hours" in (await browser.get(f"{path}/key/rotate")).text
    await browser.post(f"{path}/key/rotate")
    second, old = (await present(store, endpoint)).signing_keys
    page = (await browser.get(path)).text
    assert (old.public_key, f"{second.public_key}</code>" in page) == (first.public_key, True)
    assert "The old key is still valid" in page
    assert "whsk_" not in page
    assert "refuse them" in (await browser.get(f"{path}/key/remove")).text
    await browser.post(f"{path}/key/remove")
    assert (await present(store, endpoint)).signing_keys == ()
    assert await actions(store, account) == ["webhook.key_removed", "webhook.key_rotated", "webhook.key_added"]


async def test_a_fourth_key_pair_waits_and_an_unknown_act_is_no_page(browse: Browse, endpoint: WebhookEndpoint) -> None:
    browser, path = browse(), f"/app/webhooks/{endpoint.id}/key"
    assert "has no key pair" in (await browser.get((await browser.post(f"{path}/rotate")).headers["location"])).text
    await browser.post(path)
    answers = [await browser.post(f"{path}/rotate") for _ in range(3)]
    assert "already has 3 keys that sign" in (await browser.get(answers[-1].headers["location"])).text
    assert (await browser.get(f"{path}/sell")).status_code in (400, 404)


async def test_a_test_event_shows_its_result_once_it_is_there(
    browse: Browse, store: Store, clock: Clock, endpoint: WebhookEndpoint
) -> None:
    browser = browse()
    browser.headers["HX-Request"] = "true"
    sent = await browser.post(f"/app/webhooks/{endpoint.id}/test", data={"type": "invoice.failed"})
    assert "On its way" in sent.text
    assert "<html" not in sent.text
    polled = re.findall(r'hx-get="([^"]+)"', sent.text)[0]
    assert "On its way" in (await browser.get(polled)).text
    (claim,) = await claim_all(store, endpoint.id)
    await store.deliveries.delivered(claim, Attempt(clock.now, 0.12, 204, body="<i>thanks</i>"))
    result = (await browser.get(polled)).text
    assert "answered 204" in result
    assert "&lt;i&gt;thanks" in result
    assert "hx-get" not in result


async def test_a_test_event_works_without_scripts(browse: Browse, endpoint: WebhookEndpoint) -> None:
    browser = browse()
    answer = await browser.post(f"/app/webhooks/{endpoint.id}/test", data={"type": ""})
    assert answer.status_code == 303
    assert "On its way" in (await browser.get(answer.headers["location"])).text


async def test_a_paused_endpoint_gets_no_test_event(browse: Browse, endpoint: WebhookEndpoint) -> None:
    browser = browse()
    await browser.post(f"/app/webhooks/{endpoint.id}/pause")
    browser.headers["HX-Request"] = "true"
    assert "resume it first" in (await browser.post(f"/app/webhooks/{endpoint.id}/test")).text


async def test_deleting_asks_first(browse: Browse, store: Store, account: Account, endpoint: WebhookEndpoint) -> None:
    browser = browse()
    assert "deleted permanently" in (await browser.get(f"/app/webhooks/{endpoint.id}/delete")).text
    assert await store.endpoints.of_account(account.id) != []
    await browser.post(f"/app/webhooks/{endpoint.id}/delete")
    assert await store.endpoints.of_account(account.id) == []


GETS = ("", "/pause", "/rotate", "/delete")
POSTS = ("/pause", "/resume", "/rotate", "/secret", "/settings", "/test", "/delete")


async def refused(browser: httpx.AsyncClient, id: object, status: int) -> None:
    for path in GETS:
        assert (await browser.get(f"/app/webhooks/{id}{path}")).status_code == status, path
    for path in POSTS:
        answer = await browser.post(f"/app/webhooks/{id}{path}", data={"url": URL, **ENDS})
        assert answer.status_code == status, path


@pytest.mark.parametrize("role", [Role.REVIEWER, Role.VIEWER])
async def test_only_owners_see_endpoints(
    browse: Browse, store: Store, account: Account, endpoint: WebhookEndpoint, role: Role
) -> None:
    browser = browse(role)
    await refused(browser, endpoint.id, 403)
    for path in ("/app/webhooks", "/app/webhooks/new"):
        assert (await browser.get(path)).status_code == 403
    assert await store.endpoints.of_account(account.id) == [endpoint]


async def test_another_accounts_endpoint_is_not_there(browse: Browse, store: Store, clock: Clock) -> None:
    other = Account(new_id(), Plan.PRO, NOON)
    await store.accounts.add(other)
    theirs, _ = await manage_endpoints(store, clock).register(other.id, URL)
    browser = browse()
    for id in (theirs.id, UNKNOWN_ID, "nonsense"):
        await refused(browser, id, 404)
    assert await store.endpoints.of_account(other.id) == [theirs]
