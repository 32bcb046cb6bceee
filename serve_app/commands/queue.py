"""`invoices queue`: what waits and runs, without any other program."""

import asyncio
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from serve_app.commands.stores import checked_settings, open_for_command
from serve_app.domain.clock import utc_now
from serve_app.domain.invoice import Status
from serve_app.domain.load import PageKind

if TYPE_CHECKING:
    from rich.console import RenderableType

    from serve_app.domain.backlog import Backlog
    from serve_app.settings import Settings

SECONDS = 2.0
"""Between two looks."""
MOST_ACCOUNTS = 20
_ORDER = ("fetch", "read", "ocr", "extract", "verify", "reconcile", "save")

Totals = dict[str, tuple[float, float]]
"""How often each stage was done, and for how many seconds."""


def queue(
    once: Annotated[bool, typer.Option("--once", help="Print once and exit.")] = False,
    accounts: Annotated[bool, typer.Option("--accounts", help="List accounts separately.")] = False,
) -> None:
    """Show waiting and running documents and the load of each stage on this machine, until Ctrl-C."""
    settings = checked_settings()
    asyncio.run(_show(settings, accounts=accounts, is_once=once or not sys.stdout.isatty()))


async def _show(settings: "Settings", *, accounts: bool, is_once: bool) -> None:
    from rich.console import Console
    from rich.live import Live

    console = Console()
    async with open_for_command(settings) as store:
        before, seen_at = _totals(settings), time.monotonic()
        if is_once:
            console.print(_picture(await store.queue.backlog(), {}, before, None, accounts=accounts))
            return
        with Live(console=console, auto_refresh=False) as live:
            while True:
                backlog, now = await store.queue.backlog(), _totals(settings)
                seconds = time.monotonic() - seen_at
                live.update(_picture(backlog, before, now, seconds, accounts=accounts), refresh=True)
                before, seen_at = now, time.monotonic()
                await asyncio.sleep(SECONDS)


def _totals(settings: "Settings") -> Totals:
    from serve_app.telemetry.prometheus.meter import folder_for
    from serve_app.telemetry.prometheus.scrape import stage_totals

    folder = folder_for(Path(settings.metrics_folder))
    return stage_totals(folder) if folder.is_dir() else {}


def _picture(
    backlog: "Backlog", before: Totals, now: Totals, seconds: float | None, *, accounts: bool
) -> "RenderableType":
    from rich.console import Group
    from rich.table import Table

    tables: list[RenderableType] = []
    documents = Table("documents", "waiting", "pages", "running", title=_ages(backlog))
    for kind in PageKind:
        documents.add_row(kind, *_numbers(backlog, kind))
    documents.add_row("all", *_numbers(backlog, None))
    tables.append(documents)
    if accounts:
        tables.append(_of_accounts(backlog))
    tables.append(_of_stages(before, now, seconds))
    return Group(*tables)


def _ages(backlog: "Backlog") -> str:
    """How long the oldest have been waiting and running, a line for each."""
    now = utc_now()
    since = {"waiting": backlog.oldest, "running": backlog.oldest_running}
    ages = {
        state: "none" if moment is None else f"{(now - moment).total_seconds():.0f} s"
        for state, moment in since.items()
    }
    return "\n".join(f"oldest {state}: {age}" for state, age in ages.items())


def _numbers(backlog: "Backlog", kind: PageKind | None) -> list[str]:
    waiting, pages = backlog.documents(Status.QUEUED, kind), backlog.pages(Status.QUEUED, kind)
    return [str(waiting), str(pages), str(backlog.documents(Status.PROCESSING, kind))]


def _of_accounts(backlog: "Backlog") -> "RenderableType":
    from rich.table import Table

    found: dict[UUID, list[int]] = defaultdict(lambda: [0, 0, 0])
    for share in backlog.shares:
        numbers = found[share.account_id]
        if share.status is Status.QUEUED:
            numbers[0] += share.documents
            numbers[1] += share.pages
        else:
            numbers[2] += share.documents
    table = Table("account", "waiting", "pages", "running", title="by account, largest first")
    for account, numbers in sorted(found.items(), key=lambda item: -item[1][0])[:MOST_ACCOUNTS]:
        table.add_row(str(account), *map(str, numbers))
    return table


def _of_stages(before: Totals, now: Totals, seconds: float | None) -> "RenderableType":
    """Since the look before, `seconds` ago; None: since ever."""
    from rich.table import Table

    table = Table("stage, on this machine", "done", "mean seconds", "busy workers")
    for stage in _ORDER:
        done, spent = (
            late - early for late, early in zip(now.get(stage, _NONE), before.get(stage, _NONE), strict=True)
        )
        mean = f"{spent / done:.2f}" if done else "-"
        table.add_row(stage, f"{done:.0f}", mean, "-" if seconds is None else f"{spent / seconds:.1f}")
    return table


_NONE = (0.0, 0.0)
