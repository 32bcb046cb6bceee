"""`invoices account keep`, `invoices account archive` and `invoices receipts`: how long things are kept, what was moved
to the archive, and what was removed."""

import asyncio
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from serve_app.commands.accounts import AccountArgument
from serve_app.commands.backups import open_place
from serve_app.commands.changes import record
from serve_app.commands.errors import CommandError
from serve_app.commands.stores import checked_settings, run_on_store
from serve_app.commands.terminal import say
from serve_app.domain.bookkeeping_periods import PERIODS

if TYPE_CHECKING:
    from serve_app.domain.retention import Receipt, Retention
    from serve_app.services.backup.snapshot import Snapshot
    from serve_app.settings import Settings
    from serve_app.store.base import Store


def keep(
    account: AccountArgument,
    days: Annotated[
        int | None, typer.Option(min=0, help="Days; 0: forever. Without it, KEEP_VALUES_DAYS applies again.")
    ] = None,
    documents: Annotated[
        int | None, typer.Option(min=0, help="Days; 0: forever. Without it, KEEP_DOCUMENTS_DAYS applies again.")
    ] = None,
    events: Annotated[
        int | None, typer.Option(min=0, help="Days; 0: forever. Without it, KEEP_EVENTS_DAYS applies again.")
    ] = None,
    country: Annotated[
        str | None, typer.Option(metavar="XX", help=f"Keep invoices as its law says: {', '.join(PERIODS)}.")
    ] = None,
) -> None:
    """Set after how many days an account's invoices are removed, with their documents, values, events and deliveries;
    after how many (--documents) their documents alone; and after how many (--events) events and deliveries are moved
    from the database to the archive."""
    from serve_app.domain.retention import Retention

    if country is not None and country not in PERIODS:
        raise CommandError(f"--country is one of {', '.join(PERIODS)}")
    rule = Retention(days, events, documents, country)
    kept = kept_by(rule)

    async def work(store: "Store") -> None:
        if not await store.retention.set_rule(account, rule):
            raise CommandError(f"there is no account {account}")
        for trail in (None, account):
            await record(store, trail, "retention.changed", str(account), **kept)

    run_on_store(checked_settings(), work)
    for what, time in kept.items():
        say(f"{what:<9}  {time}")


def archive(
    account: AccountArgument,
    invoice: Annotated[UUID | None, typer.Option(metavar="ID", help="This invoice only.")] = None,
) -> None:
    """Print an account's archived events and their deliveries as JSON Lines, oldest first."""
    asyncio.run(_archive(account, invoice, checked_settings()))


async def _archive(account: UUID, invoice: UUID | None, settings: "Settings") -> None:
    from serve_app.services.retention.archive import archived_lines
    from serve_app.store.files.factory import open_files

    files = open_files(settings)
    try:
        async for line in archived_lines(files, account, invoice):
            say(line)
    finally:
        await files.close()


def receipts(
    account: Annotated[UUID | None, typer.Argument(metavar="[ACCOUNT]", help="This account only.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Maximum number of receipts.")] = 50,
    after: Annotated[UUID | None, typer.Option(metavar="ID", help="Continue after this receipt.")] = None,
    backups: Annotated[
        str | None, typer.Option(metavar="PLACE", help="Also list backups that may still contain the removed data.")
    ] = None,
) -> None:
    """List permanent removals, newest first, with time, reason and number of objects."""

    async def work(store: "Store") -> "list[Receipt]":
        return await store.retention.receipts(limit, account, after)

    snapshots = [] if backups is None else asyncio.run(_snapshots(backups))
    for receipt in run_on_store(checked_settings(), work):
        say(_line(receipt))
        for snapshot in snapshots:
            # What is still being removed may be in any.
            if receipt.done_at is None or snapshot.made_at <= receipt.done_at:
                say(f"    may be in snapshot {snapshot.id} until {_expiry(snapshot)}")


def kept_by(rule: "Retention") -> dict[str, str]:
    """For how long each kind of data is kept by an account's rule, in words."""
    return {
        "invoices": _kept(rule.values_days, "KEEP_VALUES_DAYS"),
        "documents": _kept(rule.documents_days, "KEEP_DOCUMENTS_DAYS"),
        "events": _kept(rule.events_days, "KEEP_EVENTS_DAYS"),
        **({} if rule.country is None else {"law": _law(rule.country)}),
    }


def _law(country: str) -> str:
    period = PERIODS[country]
    return f"{country}: at least {period.years} years ({period.law})"


def _kept(days: int | None, setting: str) -> str:
    if days is None:
        return f"per {setting}"
    return f"{days} days" if days else "forever"


async def _snapshots(place: str) -> "list[Snapshot]":
    async with open_place(place) as opened:
        return await opened.snapshots()


def _expiry(snapshot: "Snapshot") -> str:
    return "until it is removed manually" if snapshot.expires_at is None else f"{snapshot.expires_at:%Y-%m-%d %H:%M}"


def _line(receipt: "Receipt") -> str:
    ended = "not finished" if receipt.done_at is None else f"{receipt.done_at:%Y-%m-%d %H:%M:%S}"
    came = "" if receipt.before is None else f", came in before {receipt.before:%Y-%m-%d %H:%M}"
    counts = [f"{kind.replace('_', ' ')} {count}" for kind, count in asdict(receipt.erased).items() if count]
    what = ", ".join(counts) or "nothing"
    return f"{receipt.id}  {receipt.account_id}  {ended}  {receipt.why}{came}: {what}"
