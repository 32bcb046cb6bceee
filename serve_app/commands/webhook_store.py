"""Shared by the `invoices webhook` commands: access to the store, and times."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar
from uuid import UUID

import typer
from pydantic import SecretStr

from serve_app.commands.changes import record
from serve_app.commands.errors import CommandError
from serve_app.commands.stores import checked_settings, run_on_store
from serve_app.commands.terminal import complain

if TYPE_CHECKING:
    from serve_app.services.webhooks.bundle import Webhooks
    from serve_app.services.webhooks.endpoints import EndpointService
    from serve_app.settings import Settings
    from serve_app.store.base import Store

T = TypeVar("T")

EndpointArgument = Annotated[
    UUID, typer.Argument(metavar="ENDPOINT", help="The endpoint's id, see: invoices webhook list.")
]


class Key(Enum):
    """What a command requires of the key that seals secrets, if the service has not created one yet."""

    IF_THERE = auto()
    NEEDED = auto()
    MAY_BE_MADE = auto()


def change_endpoint(
    account: UUID,
    endpoint: UUID,
    action: str,
    work: "Callable[[EndpointService], Awaitable[T]]",
    key: Key = Key.IF_THERE,
    **details: object,
) -> T:
    """Change an endpoint, and note it in the account's audit trail."""

    async def change(store: "Store", webhooks: "Webhooks") -> T:
        before = await webhooks.endpoints.get(account, endpoint)
        done = await work(webhooks.endpoints)
        # Without the URL: its path or query may be a password.
        await record(store, account, action, str(endpoint), **{"description": before.description or None} | details)
        return done

    return with_webhooks(change, key)


def with_webhooks(work: "Callable[[Store, Webhooks], Awaitable[T]]", key: Key = Key.IF_THERE) -> T:
    """Run `work` on the configured store with the service's keys, and return its result. Raises UserError if there is
    no key and the command needs one, or if none may be created because secrets are sealed with the missing one."""
    from serve_app.settings.keys import with_keys

    settings = checked_settings()
    if settings.encryption_key is not None or Path(settings.encryption_key_file).exists():
        return _work(work, with_keys(settings))
    if key is Key.IF_THERE:
        return _work(work, _with_passing_key(settings))
    secrets_exist = key is Key.NEEDED or run_on_store(settings, lambda store: store.endpoints.exist())
    settings = with_keys(settings, secrets_exist=secrets_exist)
    complain(
        f"Created the key that encrypts secrets: {settings.encryption_key_file}. The service must use the same key."
    )
    return _work(work, settings)


def _with_passing_key(settings: "Settings") -> "Settings":
    """The settings with a temporary key, for commands that seal nothing. It cannot open secrets sealed in the store."""
    from serve_app.keys.sealing import new_key

    return settings.model_copy(update={"encryption_key": SecretStr(new_key())})


def _work(work: "Callable[[Store, Webhooks], Awaitable[T]]", settings: "Settings") -> T:
    from serve_app.wiring.webhooks import build_webhooks

    return run_on_store(settings, lambda store: work(store, build_webhooks(store, settings)))


def moment_of(text: str) -> datetime:
    """Parse an ISO 8601 time, as UTC if it has no zone. Raises CommandError if it is malformed."""
    try:
        moment = datetime.fromisoformat(text)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise CommandError(f"{text!r} is not a date or time; write it like 2026-05-17 or 2026-05-17T12:30Z") from None


def shown(moment: datetime) -> str:
    """Format a time for a person: to the second, in UTC."""
    return f"{moment:%Y-%m-%d %H:%M:%S}"
