"""`invoices plan`: how many machines a load needs, from what a page takes on one that was measured."""

import asyncio
import importlib
import os
import platform
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from serve_app.commands.errors import CommandError
from serve_app.commands.terminal import complain, say
from serve_app.system.shipped_files import SAMPLES

if TYPE_CHECKING:
    from uuid import UUID

    from serve_app.services.capacity.plan import Plan
    from serve_app.services.capacity.profile import Profile
    from serve_app.store.base import Store

DEFAULT_PROFILE = Path("data/profile.json")
_STORE_SECONDS = 3.0
_AT_ONCE = 8
UNKNOWN = (
    "your documents: the profile is based on the samples (about 210 words a page, clean scans)",
    "the sizes of your files, which determine most of the GB",
    "the network between the machines, and a database on another one",
    "webhook receivers, mail and people, which need further cores",
)
"""What a plan does not know."""


def plan(
    pages_per_day: Annotated[float | None, typer.Option(min=1, help="Pages on an ordinary day.")] = None,
    scans: Annotated[float, typer.Option(min=0, max=1, help="The share of pages that are scans or photos.")] = 0.3,
    p95: Annotated[float, typer.Option(min=0.1, help="Target time in seconds for 95 of 100 documents.")] = 60,
    peak: Annotated[float, typer.Option(min=1, help="Load of the busiest hour divided by the mean load.")] = 3,
    pages_per_document: Annotated[float, typer.Option(min=1, help="Pages of a document, on average.")] = 1,
    core_hour: Annotated[
        float | None, typer.Option(min=0, help="Price of a core for an hour, for the price of 1,000 pages.")
    ] = None,
    profile: Annotated[Path, typer.Option(metavar="FILE", help="Profile to read or to write.")] = DEFAULT_PROFILE,
    config: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Serve configuration to compare with (default: config/serve.yaml)."),
    ] = None,
    measure: Annotated[
        bool, typer.Option("--measure", help="Measure a profile of this machine (takes a minute or two).")
    ] = False,
) -> None:
    """Plan replicas, cores, GPUs and memory for a load."""
    if measure:
        complain("measuring takes a minute or two; other programs disturb little, because the time of the CPU counts")
        began = time.perf_counter()
        taken = _measured()
        complain(f"measured in {time.perf_counter() - began:.0f} s")
        profile.parent.mkdir(parents=True, exist_ok=True)
        profile.write_text(taken.model_dump_json(indent=2) + "\n", encoding="utf-8")
        _show_profile(taken, profile)
    elif pages_per_day is None and core_hour is None:
        raise CommandError("use --pages-per-day N, --core-hour PRICE, or --measure to profile this machine")
    load = None
    if pages_per_day is not None:
        from serve_app.services.capacity.plan import Workload
        from serve_app.services.capacity.plan import plan as planned

        load = planned(Workload(pages_per_day, scans, p95, peak, pages_per_document), _read(profile))
        _show_plan(load)
        _show_changes(load, config)
    if core_hour is not None:
        _show_prices(_read(profile), scans, pages_per_document, core_hour, load)


def _read(path: Path) -> "Profile":
    from serve_app.services.capacity.profile import read_profile

    return read_profile(path)


def _measured() -> "Profile":
    from serve_app.domain.clock import utc_now
    from serve_app.services.capacity.profile import Profile

    # One thread for each model, so that the time of the CPU is that of the work and not of waiting for each other.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    # Imported by name, because the service asks for models only where one is loaded.
    pages = importlib.import_module("models.page_costs").measure(complain)
    complain("the database ...")
    rate, row_bytes = _measure_store()
    files = [path.stat().st_size for path in SAMPLES.iterdir()]
    return Profile(
        taken_at=utc_now(),
        machine=f"{platform.system()} {platform.machine()}",
        cores=len(os.sched_getaffinity(0)),
        documents_a_second=rate,
        bytes_a_document=row_bytes + sum(files) / len(files),
        **pages,
    )


def _measure_store() -> tuple[float, float]:
    """How many documents a second a new SQLite database takes through the queue, and the bytes that each adds."""
    with tempfile.TemporaryDirectory(dir=".") as folder:
        path = Path(folder).absolute() / "invoices.db"
        done, seconds = asyncio.run(_fill(path))
        return done / seconds, path.stat().st_size / done


async def _fill(path: Path) -> tuple[int, float]:
    from serve_app.domain.account import Account, Plan
    from serve_app.domain.clock import utc_now
    from serve_app.domain.ids import new_id
    from serve_app.settings import Settings
    from serve_app.store.factory import open_store

    store = open_store(Settings(database_url=f"sqlite:///{path}", max_running_per_account=64))
    account = Account(new_id(), Plan.UNLIMITED, utc_now())
    await store.accounts.add(account)
    started = time.perf_counter()
    ends = started + _STORE_SECONDS
    done = sum(await asyncio.gather(*(_documents_until(store, account.id, ends) for _ in range(_AT_ONCE))))
    seconds = time.perf_counter() - started
    await store.connection.close()
    return done, seconds


async def _documents_until(store: "Store", account_id: "UUID", ends: float) -> int:
    from datetime import timedelta

    from serve_app.domain.clock import month_start, utc_now
    from serve_app.domain.ids import new_id
    from serve_app.domain.invoice import Extraction, FileInfo, Invoice, Source
    from serve_app.domain.record import new_record

    done, file = 0, FileInfo(name="a.pdf", mime_type="application/pdf", size_bytes=1)
    while time.perf_counter() < ends:
        now = utc_now()
        invoice = Invoice(id=new_id(), source=Source.API, created_at=now, updated_at=now, file=file)
        record = new_record(invoice, account_id)
        await store.intake.reserve(record, month_start(now), None)
        await store.intake.add(record)
        if (claim := await store.queue.claim_due_invoice(timedelta(seconds=30))) is not None:
            await store.queue.save_result(claim, Extraction(), utc_now())
            done += 1
        await store.outbox.spread_pending(100)
    return done


def _show_profile(profile: "Profile", path: Path) -> None:
    unit = "GPU" if profile.gpu else "core"
    say(f"{path}: {profile.machine}, {profile.cores} cores, {profile.gpu or 'no GPU'}")
    say("  seconds for a page, alone and with every core busy:")
    busy = profile.busy
    for stage, alone, together, of in (
        ("reading", profile.read, busy.read, "core"),
        ("extractor", profile.extract, busy.extract, unit),
        ("verifier", profile.verify, busy.verify, unit),
        ("reconciling", profile.reconcile, busy.reconcile, "core"),
    ):
        for kind, seconds in alone.items():
            say(f"  {stage} ({kind}): {seconds:.3f}, {together[kind]:.3f} of a {of}")
    say(f"  database: {profile.documents_a_second:.0f} documents/s, {profile.bytes_a_document / 1000:.0f} kB each")


def _show_prices(
    profile: "Profile", scans: float, pages_a_document: float, core_hour: float, load: "Plan | None"
) -> None:
    from serve_app.services.capacity.plan import price_of_work

    say(f"1,000 pages at {core_hour:g} a core-hour" + (", without GPUs:" if profile.gpu else ":"))
    for name, share in (("text", 0.0), ("scans", 1.0), (f"{scans:.0%} scans", scans)):
        say(f"  {name}: {price_of_work(profile, share, core_hour, pages_a_document):,.4f} for the work on them")
    if load is not None:
        say(f"  this load: {load.price_of_cores(core_hour):,.4f} if all its cores are paid around the clock")


def _show_changes(plan: "Plan", config: Path | None) -> None:
    """The lines of the Serve configuration that give fewer replicas than the plan."""
    from serve_app.commands.local_graph import DEFAULT_CONFIG, read_graph
    from serve_app.services.capacity.plan import raised_limits

    name = config or "config/serve.yaml"
    if not (changes := raised_limits(plan.replicas, read_graph(config or DEFAULT_CONFIG))):
        say(f"{name} allows all these replicas")
        return
    say(f"Change in {name}:")
    for change in changes:
        say(f"  {change.deployment}: {change.key}: {change.needed}  # {change.given} today")


def _show_plan(plan: "Plan") -> None:
    workload, limit = plan.workload, plan.first_limit
    say(
        f"{workload.pages_a_day:,.0f} pages a day, {workload.scans:.0%} scans; "
        f"in the busiest hour {workload.peak:g} times the mean"
    )
    say("replicas: " + ", ".join(f"{name} {count}" for name, count in plan.replicas.items()))
    say(f"cores: {plan.cores} ({plan.busy_cores:.1f} busy in the busiest hour); GPUs: {plan.gpus}")
    say(f"memory: {plan.memory_gb:.1f} GB; database: {plan.writes_a_second:.1f} writes/s, {plan.gb_a_day:.1f} GB a day")
    full = limit.full_at(workload.pages_a_day)
    say(f"first limit of one machine like this: {limit.name}, at {full:,.0f} pages a day")
    say("Not included:")
    for line in UNKNOWN:
        say(f"  - {line}")
