"""Connects accounts with programs that book bills by their API."""

import json
from collections.abc import Mapping
from typing import Annotated, Any
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from serve_app.domain.audit import Actor
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import InvalidParameter
from serve_app.domain.ledger_connection import Ledger, LedgerConnection
from serve_app.net.outcome import BadUrl, Unreachable
from serve_app.services.people.audit import AuditTrail
from serve_app.services.ports import Sealing, UrlGuard
from serve_app.store.base import LedgerConnections

_Text = Annotated[str, Field(min_length=1, max_length=4_000)]


class _Given(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Odoo(_Given):
    url: Annotated[str, Field(max_length=500)]
    database: Annotated[str, Field(max_length=200)] = ""
    api_key: _Text


class _OAuth(_Given):
    client_id: _Text
    client_secret: _Text
    refresh_token: _Text


class _Xero(_OAuth):
    tenant_id: _Text


class _QuickBooks(_OAuth):
    realm_id: Annotated[str, Field(pattern=r"^\d{1,30}$")]


_MODELS: Mapping[Ledger, type[_Given]] = {Ledger.ODOO: _Odoo, Ledger.XERO: _Xero, Ledger.QUICKBOOKS: _QuickBooks}
_SECRETS = frozenset({"api_key", "client_secret", "refresh_token"})


class LedgerConnectionService:
    """Secrets are stored encrypted, and never shown again."""

    def __init__(
        self,
        connections: LedgerConnections,
        sealing: Sealing,
        guard: UrlGuard,
        audit: AuditTrail,
        clock: Clock = utc_now,
    ) -> None:
        self._connections = connections
        self._sealing = sealing
        self._guard = guard
        self._audit = audit
        self._clock = clock

    async def connect(self, account_id: UUID, ledger: Ledger, given: Mapping[str, Any], actor: Actor) -> None:
        """Connect the account, or replace its connection. Raises InvalidParameter for a wrong value, LookupError if
        there is no such account."""
        known = _checked(ledger, given)
        if "url" in known:
            await self._check_url(known["url"])
        secrets = {name: value for name, value in known.items() if name in _SECRETS}
        settings = {name: value for name, value in known.items() if name not in _SECRETS}
        sealed = self._sealing.seal(json.dumps(secrets))
        if not await self._connections.set(LedgerConnection(account_id, ledger, settings, sealed, self._clock())):
            raise LookupError("there is no such account")
        await self._audit.record(actor, account_id, "ledger.connected", str(ledger))

    async def _check_url(self, url: str) -> None:
        try:
            await self._guard.check(url)
        except (BadUrl, Unreachable) as error:
            raise InvalidParameter(f"url: {error.reason}.", "url") from None

    async def disconnect(self, account_id: UUID, ledger: Ledger, actor: Actor) -> None:
        """Forget the secrets. Raises LookupError if the account is not connected."""
        if not await self._connections.remove(account_id, ledger):
            raise LookupError("the account is not connected")
        await self._audit.record(actor, account_id, "ledger.disconnected", str(ledger))


async def reseal_connections(connections: LedgerConnections, sealing: Sealing) -> int:
    """Encrypt all secrets with the current key; returns how many there are. Can be repeated after a crash. Raises
    UserError for a secret that no key opens."""
    found = await connections.list_all()
    for connection in found:
        await connections.replace_secret(connection, sealing.seal(sealing.open(connection.sealed)))
    return len(found)


def _checked(ledger: Ledger, given: Mapping[str, Any]) -> dict[str, str]:
    """Raises InvalidParameter, without the values."""
    try:
        found: dict[str, str] = _MODELS[ledger].model_validate(given).model_dump()
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        name = ".".join(str(part) for part in first["loc"])
        raise InvalidParameter(f"{name}: {first['msg']}.", name) from None
    return found
