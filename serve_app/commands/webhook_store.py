"""What the commands of `invoices webhook` share: the way to the store, and times."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar
from uuid import UUID

import typer

from serve_app.commands.errors import CommandError
from serve_app.commands.terminal import complain

if TYPE_CHECKING:
    from serve_app.services.webhook_bundle import Webhooks
    from serve_app.settings import Settings

T = TypeVar("T")

EndpointArgument = Annotated[UUID, typer.Argument(metavar="ENDPOINT", help="Its id, see: invoices webhook list.")]


def with_webhooks(work: "Callable[[Webhooks], Awaitable[T]]") -> T:
    """The result of `work` on the store that the settings name, with the keys of its service."""
    from serve_app.commands.preflight import check_folders, check_keys, check_store
    from serve_app.settings import Settings

    settings = Settings().resolved()
    check_folders(settings)
    check_store(settings)
    is_new = settings.encryption_key is None and not Path(settings.encryption_key_file).exists()
    settings = check_keys(settings)
    if is_new:
        complain(f"Made the key that encrypts secrets: {settings.encryption_key_file}. The service must use the same.")
    return asyncio.run(_work(work, settings))


async def _work(work: "Callable[[Webhooks], Awaitable[T]]", settings: "Settings") -> T:
    from serve_app.store.factory import open_store
    from serve_app.wiring import build_webhooks

    store = open_store(settings)
    try:
        return await work(build_webhooks(store, settings))
    except LookupError as error:
        raise CommandError(str(error.args[0])) from error
    finally:
        await store.connection.close()


def moment_of(text: str) -> datetime:
    """The moment that a text names in ISO 8601, in UTC where it names no zone. CommandError where it is none."""
    try:
        moment = datetime.fromisoformat(text)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise CommandError(f"{text!r} is no date or time; write it like 2026-05-17 or 2026-05-17T12:30Z") from None


def shown(moment: datetime) -> str:
    """A moment for a person: seconds, UTC."""
    return f"{moment:%Y-%m-%d %H:%M:%S}"
