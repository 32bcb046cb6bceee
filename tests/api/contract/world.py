"""An account with an invoice, keys of every kind, and requests that are right but for one trouble."""

from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

import httpx
from fastapi import FastAPI

from serve_app.domain.account import Account, Plan, Scope
from serve_app.domain.errors import QueryTimeout, StoreUnreachable
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Extraction
from serve_app.domain.own_field import OwnField, OwnFieldType
from serve_app.domain.record import file_key_of
from serve_app.domain.webhook import WebhookEndpoint
from serve_app.keys.sealing import Sealer
from serve_app.services.bundle import Services
from serve_app.services.webhooks.secrets import EndpointSecrets
from serve_app.store.base import Files, Store
from tests.api.conftest import MakeKey
from tests.api.contract.endpoints import Endpoint
from tests.api.contract.mistakes import Mistake
from tests.api.invoices import complete_one
from tests.services.exports.bills import read_invoice
from tests.support import NOON, PDF_BYTES, newest_events
from tests.support.exports import new_export
from tests.support.inbound import add_address, add_mail
from tests.support.orders import make_order
from tests.support.webhooks import ENCRYPTION_KEY

BODIES: dict[str, dict[str, Any]] = {
    "POST /v1/invoices": {"files": {"file": ("a.pdf", PDF_BYTES)}},
    "PATCH /v1/invoices/{id}": {"json": {"entity_tag": "north"}},
    "POST /v1/invoices/{id}/approval": {"json": {"email": "boss@example.com"}},
    "POST /v1/invoices/{id}/extract": {"json": {"force": True}},
    "POST /v1/webhook_endpoints": {"json": {"url": "https://93.184.215.14/new"}},
    "PATCH /v1/webhook_endpoints/{id}": {"json": {"description": "ERP"}},
    "POST /v1/exports": {
        "json": {
            "format": "template",
            "settings": {"columns": [{"title": "n", "source": "number"}], "tax_codes": {"19": "9"}},
        }
    },
    "PUT /v1/chart": {"json": {"revision": 0, "dimensions": []}},
    "PUT /v1/invoices/{id}/coding": {"json": {"postings": None}},
    "POST /v1/purchase-orders": {
        "json": {
            **{"number": "PO-9", "vendor": "Norvik", "currency": "EUR"},
            "lines": [{"quantity": 1, "unit_price": 2.5}],
        }
    },
    "PATCH /v1/purchase-orders/{id}": {"json": {"status": "closed"}},
    "POST /v1/purchase-orders/{id}/receive": {"json": {"lines": [{"position": 1, "quantity": 1}]}},
    "PUT /v1/fields/{name}": {"json": {"label": "Licence plate"}},
    "PUT /v1/invoices/{id}/custom/{name}": {"json": {"value": "B-XY 12"}},
    "PUT /v1/order-rules": {"json": {"price_percent": 2}},
    "PUT /v1/invoices/{id}/review": {"json": {"revision": 0, "fields": {"amount": {"value": "119"}}}},
}
JSON = {"Content-Type": "application/json"}
_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


class Failing:
    """A service whose methods raise whatever is asked of them, but for those of another one that are `kept`."""

    def __init__(self, error: Exception, **kept: object) -> None:
        self._error = error
        self.__dict__.update(kept)

    async def __call__(self, *_: object, **__: object) -> None:
        raise self._error

    def __getattr__(self, _: str) -> "Failing":
        return self


_ERRORS = {"broken": RuntimeError("secret detail"), "lost": StoreUnreachable(), "slow": QueryTimeout()}
_KEPT = ("settings", "calls", "rate_limit", "readiness")


@dataclass
class World:
    """What requests are made of: keys, and the ids of each kind of thing, by the names that troubles call them."""

    client: httpx.AsyncClient
    app: FastAPI
    keys: dict[str, dict[str, str]]
    ids: dict[str, dict[str, str]]

    async def send(self, endpoint: Endpoint, mistake: Mistake, method: str | None = None) -> httpx.Response:
        """The answer to a request that has this trouble and no other."""
        path = endpoint.path.replace("{n}", "1").replace("{name}", "plate")
        if endpoint.takes:
            path = path.replace("{id}", self.ids[endpoint.takes][mistake.id])
        body = dict(BODIES.get(endpoint.name, {}))
        headers = dict(self.keys[mistake.key])
        if mistake.content is not None:
            body, headers = {"content": mistake.content}, headers | JSON
        return await self.client.request(
            method or endpoint.method, path, headers=headers, params=mistake.params, **body
        )

    def break_services(self, how: str) -> None:
        """Let every verb raise; keys are still known and counted."""
        services: Services = self.app.state.services
        failing: Any = Failing(_ERRORS[how])
        callers: Any = Failing(_ERRORS[how], authenticate=services.callers.authenticate)
        names = [name for name in Services.__slots__ if name not in _KEPT]
        self.app.state.services = replace(services, **dict.fromkeys(names, failing) | {"callers": callers})


def wrong_verbs(endpoint: Endpoint, endpoints: tuple[Endpoint, ...]) -> tuple[list[str], set[str]]:
    """The methods that its path does not have, and those it has."""
    described = {other.method for other in endpoints if other.path == endpoint.path}
    allowed = described | ({"HEAD"} if "GET" in described else set())
    return [method for method in _METHODS if method not in allowed], allowed


async def build_world(
    anyone: httpx.AsyncClient, app: FastAPI, make_key: MakeKey, store: Store, files: Files, account: Account
) -> World:
    """One account with a complete invoice, another one with its own."""
    other = Account(new_id(), Plan.PRO, NOON)
    await store.accounts.add(other)
    own, others = await complete_one(store, account), await complete_one(store, other)
    await files.write(file_key_of(account.id, own.id), PDF_BYTES)
    keys = {
        "none": {},
        "basic": {"Authorization": "Basic dXNlcjpwYXNz"},
        "unknown": {"Authorization": "Bearer inv_live_nothing"},
        "full": await make_key(),
        "read": await make_key(Scope.READ),
        "revoked": await _revoked(make_key, store, account),
        "spent": await make_key(),
    }
    assert await store.own_fields.put(account.id, OwnField(name="plate", label="Plate", type=OwnFieldType.TEXT))
    (event,) = await newest_events(store, account.id)
    ids = {
        "invoice": _ids(own.id, others.id),
        "event": {"own": event.id},
        "mail": _ids(await _mail_id(store, account), await _mail_id(store, other)),
        "export": _ids(await _export_id(store, account), await _export_id(store, other)),
        "purchase-order": _ids(await _order_id(store, account), await _order_id(store, other)),
        "webhook_endpoint": _ids(await _endpoint_id(store, account), await _endpoint_id(store, other)),
    }
    return World(anyone, app, keys, ids)


def _ids(own: UUID, other: UUID) -> dict[str, str]:
    return {"own": str(own), "other": str(other), "unknown": str(new_id()), "malformed": "7"}


async def _order_id(store: Store, account: Account) -> UUID:
    order = make_order(account.id)
    assert await store.purchase_orders.add(order)
    return order.id


async def _mail_id(store: Store, account: Account) -> UUID:
    return (await add_mail(store, await add_address(store, account.id))).id


async def _export_id(store: Store, account: Account) -> UUID:
    """Of an export; another invoice is ready for the next one."""
    read = read_invoice()
    for number in "12":
        values = {name: getattr(read, name) for name in Extraction.model_fields} | {"invoice_number": number}
        invoice = await complete_one(store, account, Extraction.model_validate(values))
        if number == "1":
            new = new_export(invoice, account=account)
            assert await store.exports.add(new)
    return new.export.id


async def _endpoint_id(store: Store, account: Account) -> UUID:
    secret, _ = EndpointSecrets(Sealer([ENCRYPTION_KEY])).new()
    endpoint = WebhookEndpoint(new_id(), account.id, "https://93.184.215.14/hooks", (), (secret,), NOON)
    await store.endpoints.add(endpoint, at_most=10)
    return endpoint.id


async def _revoked(make_key: MakeKey, store: Store, account: Account) -> dict[str, str]:
    before = await _ids_of_keys(store, account)
    headers = await make_key()
    (id,) = await _ids_of_keys(store, account) - before
    await store.keys.revoke(account.id, id, NOON)
    return headers


async def _ids_of_keys(store: Store, account: Account) -> set[UUID]:
    return {key.id for key in await store.keys.of_account(account.id)}
