"""Endpoints are registered, changed and deleted by their account only."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from serve_app.domain.account import Account
from serve_app.domain.errors import InvalidParameter
from serve_app.domain.event import EventType
from serve_app.domain.ids import new_id
from serve_app.domain.webhook import AbandonReason, DeliveryState, PauseReason, WebhookEndpoint
from serve_app.services.webhooks import endpoints as module
from serve_app.services.webhooks.endpoints import EndpointService
from serve_app.store.base import Store
from tests.support import NOON, Clock
from tests.support.webhooks import URL, add_delivery, manage_endpoints


@pytest.fixture
def endpoints(store: Store, clock: Clock) -> EndpointService:
    return manage_endpoints(store, clock)


@pytest.fixture
async def endpoint(endpoints: EndpointService, account: Account) -> WebhookEndpoint:
    return (await endpoints.register(account.id, URL))[0]


async def refusal(call: Awaitable[object]) -> str:
    """Why a call is refused as a bad parameter."""
    with pytest.raises(InvalidParameter) as caught:
        await call
    return caught.value.message


async def test_a_registered_endpoint_is_listed_and_active(endpoints: EndpointService, account: Account) -> None:
    wanted = (EventType.FAILED, EventType.COMPLETED, EventType.FAILED)
    first, _ = await endpoints.register(account.id, URL, wanted, " the till \n")
    second, _ = await endpoints.register(account.id, URL + "/2")
    assert await endpoints.list(account.id) == [first, second]
    assert await endpoints.get(account.id, first.id) == first
    assert first.types == (EventType.COMPLETED, EventType.FAILED)
    assert (first.description, first.created_at, first.is_active) == ("the till", NOON, True)
    assert second.types == ()


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://hooks.example.com/", "must begin with https://"),
        ("ftp://hooks.example.com/", "must begin with https://"),
        ("https://user:password@hooks.example.com/", "must not contain credentials"),
        ("https://127.0.0.1/", "no public address"),
        ("https://[::1]/", "no public address"),
        ("https://inside.example.com/", "no public address"),
        ("https://", "malformed"),
        (f"{URL}?{'x' * 2048}", "longer than 2048 characters"),
    ],
)
async def test_a_url_that_must_not_be_called_is_refused(
    endpoints: EndpointService, account: Account, endpoint: WebhookEndpoint, url: str, reason: str
) -> None:
    assert reason in await refusal(endpoints.register(account.id, url))
    assert reason in await refusal(endpoints.change_url(account.id, endpoint.id, url))
    assert await endpoints.list(account.id) == [endpoint]


@pytest.mark.parametrize("again", [URL, URL.replace(".com", ".com:443"), URL.replace("hooks", "HOOKS")])
async def test_the_same_url_is_registered_once(
    endpoints: EndpointService, store: Store, account: Account, endpoint: WebhookEndpoint, again: str
) -> None:
    assert "already registered" in await refusal(endpoints.register(account.id, again))
    assert await endpoints.list(account.id) == [endpoint]
    other = Account(new_id(), account.plan, NOON)
    await store.accounts.add(other)
    assert await endpoints.register(other.id, again)


async def test_a_url_can_be_changed_but_not_to_that_of_another(
    endpoints: EndpointService, account: Account, endpoint: WebhookEndpoint
) -> None:
    moved = await endpoints.change_url(account.id, endpoint.id, "https://new.example.com")
    assert moved.url == "https://new.example.com/"
    assert (await endpoints.change_url(account.id, endpoint.id, moved.url)).url == moved.url
    await endpoints.register(account.id, URL)
    assert "already registered" in await refusal(endpoints.change_url(account.id, endpoint.id, URL))


async def test_another_url_or_secret_is_not_held_to_what_failed_before(
    endpoints: EndpointService, store: Store, account: Account, endpoint: WebhookEndpoint
) -> None:
    failing = replace(endpoint, failing_since=NOON, is_slow=True)
    assert await store.endpoints.replace(failing) is not None
    same = await endpoints.change_url(account.id, endpoint.id, URL)
    assert (same.failing_since, same.is_slow) == (NOON, True)
    await endpoints.rotate_secret(account.id, endpoint.id)
    rotated = await endpoints.get(account.id, endpoint.id)
    assert (rotated.failing_since, rotated.is_slow) == (None, True)
    assert await store.endpoints.replace(replace(rotated, failing_since=NOON)) is not None
    moved = await endpoints.change_url(account.id, endpoint.id, URL + "/new")
    assert (moved.failing_since, moved.is_slow) == (None, False)


async def test_an_account_has_so_many_endpoints_only(
    endpoints: EndpointService, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_ENDPOINTS", 2)
    for number in range(2):
        await endpoints.register(account.id, f"{URL}/{number}")
    assert "already has 2 webhook endpoints" in await refusal(endpoints.register(account.id, URL))


async def test_a_description_is_one_short_line(
    endpoints: EndpointService, account: Account, endpoint: WebhookEndpoint
) -> None:
    assert (await endpoints.describe(account.id, endpoint.id, "a\r\nb\u202e")).description == "a b"
    assert "200" in await refusal(endpoints.describe(account.id, endpoint.id, "x" * 201))
    assert "200" in await refusal(endpoints.register(account.id, URL + "/2", (), "x" * 201))


async def test_pausing_gives_up_what_waits_and_resuming_does_not_bring_it_back(
    endpoints: EndpointService, store: Store, clock: Clock, account: Account, endpoint: WebhookEndpoint
) -> None:
    waiting = await add_delivery(store, clock, account.id, endpoint.id)
    assert (await endpoints.pause(account.id, endpoint.id)).paused_reason is PauseReason.BY_HAND
    assert (await endpoints.resume(account.id, endpoint.id)).is_active
    kept = await store.deliveries.get(account.id, waiting.id)
    assert kept is not None
    assert (kept.state, kept.abandoned_reason) == (DeliveryState.ABANDONED, AbandonReason.ENDPOINT_PAUSED)


async def test_resuming_forgets_what_led_to_the_pause(
    endpoints: EndpointService, store: Store, account: Account, endpoint: WebhookEndpoint
) -> None:
    failed = replace(
        endpoint, paused_reason=PauseReason.FAILING, is_owner_unnotified=True, failing_since=NOON, is_slow=True
    )
    assert await store.endpoints.replace(failed) is not None
    resumed = await endpoints.resume(account.id, endpoint.id)
    assert resumed == replace(endpoint, revision=resumed.revision)


async def test_a_pause_of_the_services_keeps_its_reason(
    endpoints: EndpointService, store: Store, account: Account, endpoint: WebhookEndpoint
) -> None:
    await store.endpoints.replace(replace(endpoint, paused_reason=PauseReason.GONE, is_owner_unnotified=True))
    paused = await endpoints.pause(account.id, endpoint.id)
    assert (paused.paused_reason, paused.is_owner_unnotified) == (PauseReason.GONE, True)


async def test_types_can_be_chosen_again(
    endpoints: EndpointService, account: Account, endpoint: WebhookEndpoint
) -> None:
    chosen = await endpoints.choose_types(account.id, endpoint.id, [EventType.FAILED])
    assert chosen.wants(EventType.FAILED)
    assert not chosen.wants(EventType.COMPLETED)
    assert (await endpoints.choose_types(account.id, endpoint.id, ())).wants(EventType.COMPLETED)


async def test_a_change_is_made_although_the_endpoint_changes_meanwhile(
    endpoints: EndpointService,
    store: Store,
    account: Account,
    endpoint: WebhookEndpoint,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    get = store.endpoints.get

    async def get_then_change(*ids: Any) -> WebhookEndpoint | None:
        """Twice somebody else is faster."""
        found = await get(*ids)
        if found is not None and found.revision < 2:
            await store.endpoints.replace(replace(found, is_slow=True))
        return found

    monkeypatch.setattr(store.endpoints, "get", get_then_change)
    changed = await endpoints.choose_types(account.id, endpoint.id, [EventType.FAILED])
    assert (changed.types, changed.is_slow) == ((EventType.FAILED,), True)
    assert await get(account.id, endpoint.id) == changed


async def test_a_change_that_never_comes_through_is_given_up(
    endpoints: EndpointService,
    store: Store,
    account: Account,
    endpoint: WebhookEndpoint,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def never(_: WebhookEndpoint) -> None:
        return None

    monkeypatch.setattr(store.endpoints, "replace", never)
    with pytest.raises(ValueError, match="try again"):
        await endpoints.pause(account.id, endpoint.id)


async def test_a_deleted_endpoint_is_gone_with_its_deliveries(
    endpoints: EndpointService, store: Store, clock: Clock, account: Account, endpoint: WebhookEndpoint
) -> None:
    delivery = await add_delivery(store, clock, account.id, endpoint.id)
    await endpoints.delete(account.id, endpoint.id)
    assert await endpoints.list(account.id) == []
    assert await store.deliveries.get(account.id, delivery.id) is None


CALLS: list[Callable[[EndpointService, Account, WebhookEndpoint], Awaitable[object]]] = [
    lambda endpoints, account, endpoint: endpoints.get(account.id, endpoint.id),
    lambda endpoints, account, endpoint: endpoints.pause(account.id, endpoint.id),
    lambda endpoints, account, endpoint: endpoints.resume(account.id, endpoint.id),
    lambda endpoints, account, endpoint: endpoints.delete(account.id, endpoint.id),
    lambda endpoints, account, endpoint: endpoints.rotate_secret(account.id, endpoint.id),
    lambda endpoints, account, endpoint: endpoints.reveal_secret(account.id, endpoint.id),
    lambda endpoints, account, endpoint: endpoints.choose_types(account.id, endpoint.id, ()),
    lambda endpoints, account, endpoint: endpoints.change_url(account.id, endpoint.id, URL + "/2"),
    lambda endpoints, account, endpoint: endpoints.describe(account.id, endpoint.id, "mine"),
]


@pytest.mark.parametrize("call", CALLS)
async def test_another_accounts_endpoint_is_unknown(
    endpoints: EndpointService,
    store: Store,
    account: Account,
    endpoint: WebhookEndpoint,
    call: Callable[[EndpointService, Account, WebhookEndpoint], Awaitable[object]],
) -> None:
    other = Account(new_id(), account.plan, NOON)
    await store.accounts.add(other)
    with pytest.raises(LookupError, match="no webhook endpoint"):
        await call(endpoints, other, endpoint)
    assert await endpoints.get(account.id, endpoint.id) == endpoint


async def test_an_unknown_account_has_no_endpoints(endpoints: EndpointService) -> None:
    for call in (endpoints.list(new_id()), endpoints.register(new_id(), URL)):
        with pytest.raises(LookupError, match="there is no account"):
            await call


async def test_neither_url_nor_secret_is_logged(
    endpoints: EndpointService, account: Account, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    endpoint, first = await endpoints.register(account.id, URL + "?token=hidden")
    second = await endpoints.rotate_secret(account.id, endpoint.id)
    await endpoints.reveal_secret(account.id, endpoint.id)
    said = str([record.__dict__ for record in caplog.records])
    assert str(endpoint.id) in said
    for hidden in (first, second, "hidden", *(secret.sealed for secret in endpoint.secrets)):
        assert hidden not in said
