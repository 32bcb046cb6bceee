"""A store with accounts and endpoints, and deliveries due to them."""

import base64
import secrets
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from pydantic import SecretStr

from benchmarks.store.filling import bulk, insert_accounts
from benchmarks.webhooks.events import events
from serve_app.domain.account import Account, Plan
from serve_app.domain.clock import utc_now
from serve_app.domain.ids import new_id
from serve_app.domain.webhook import EndpointSecret, WebhookEndpoint
from serve_app.keys.sealing import Sealer, new_key
from serve_app.services.webhooks.signature import SECRET_PREFIX
from serve_app.settings import Settings
from serve_app.store.factory import open_store
from serve_app.store.rows.codec import to_micros
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.webhooks.lanes import make_due

_EVENT = """
    INSERT INTO events (id, account_id, invoice_id, type, created_at, payload) VALUES (?, ?, '', ?, ?, ?)
"""
_DELIVERY = """
    INSERT INTO deliveries (id, account_id, endpoint_id, event_id, event_type, created_at, next_attempt_at)
    VALUES (?, ?, ?, ?, ?, ?, 0)
"""
_OWED = "SELECT endpoints.url, event_id FROM deliveries JOIN endpoints ON endpoints.id = deliveries.endpoint_id"
_ANY_PENDING = "SELECT EXISTS (SELECT 1 FROM deliveries WHERE state = 'pending')"
SECRET = SECRET_PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()
"""Of all endpoints."""


@dataclass(frozen=True, slots=True)
class Site:
    """What deliverers are started on; `settings` have the key that secrets are sealed with."""

    database: Path
    settings: Settings

    @classmethod
    def at(cls, folder: Path) -> "Site":
        """In a folder of its own, with receivers on this machine."""
        settings = Settings(
            database_url=f"sqlite:///{folder}/invoices.db",
            encryption_key=SecretStr(new_key()),
            mail_folder=str(folder / "mail"),
            webhook_networks="127.0.0.0/8",
        )
        return cls(folder / "invoices.db", settings)

    async def endpoints(self, accounts: int, urls: Sequence[str]) -> list[WebhookEndpoint]:
        """One for each URL, of so many new accounts in turn."""
        assert self.settings.encryption_key is not None
        sealer = Sealer([self.settings.encryption_key.get_secret_value()])
        store = open_store(self.settings)
        owners = [Account(new_id(), Plan.UNLIMITED, utc_now()) for _ in range(accounts)]
        with bulk(self.database) as connection:
            insert_accounts(connection, owners)
        made = [_endpoint(owners[number % accounts].id, url, sealer) for number, url in enumerate(urls)]
        for endpoint in made:
            await store.endpoints.add(endpoint, at_most=1000)
        await store.connection.close()
        return made

    def owe(self, endpoints: Iterable[WebhookEndpoint], count: int) -> None:
        """So many deliveries to each, of new events and due now."""
        with bulk(self.database) as connection:
            for endpoint in endpoints:
                new = list(events(endpoint.account_id, count))
                account, target, now = str(endpoint.account_id), str(endpoint.id), to_micros(utc_now())
                connection.execute("BEGIN")
                connection.executemany(_EVENT, [(event.id, account, event.type, now, event.payload) for event in new])
                rows = [(str(new_id()), account, target, event.id, event.type, now) for event in new]
                connection.executemany(_DELIVERY, rows)
                make_due(connection, target, now)
                connection.execute("COMMIT")

    def is_anything_pending(self) -> bool:
        """Whether a delivery is still to be made."""
        return bool(self._rows(_ANY_PENDING)[0][0])

    def owed(self) -> list[tuple[str, str]]:
        """The last part of the endpoint's URL and the event's id, of every delivery."""
        return [(url.rsplit("/", 1)[1], event_id) for url, event_id in self._rows(_OWED)]

    def not_delivered(self) -> list[str]:
        """The ids of deliveries that the store does not count as delivered."""
        return [row[0] for row in self._rows("SELECT id FROM deliveries WHERE state != 'delivered'")]

    def _rows(self, query: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True, timeout=30)) as connection:
            return connection.execute(query).fetchall()


def _endpoint(account_id: UUID, url: str, sealer: Sealer) -> WebhookEndpoint:
    return WebhookEndpoint(new_id(), account_id, url, (), (EndpointSecret(sealer.seal(SECRET)),), utc_now())
