"""`python benchmarks/telemetry.py`: what metrics and traces cost a document of one page.

Runs with stand-ins for readers, models and reconciler on a real SQLite store, in turns without, with metrics, and with
metrics and traces to a collector on this machine, so that all three see the same load. To each run the notes are added
that the replicas of such a page make. What is printed is CPU time, of all threads of the process.
"""

import asyncio
import statistics
import tempfile
import time
from pathlib import Path

from serve_app.domain.account import Account, Plan
from serve_app.domain.clock import utc_now
from serve_app.domain.evidence import HEADER
from serve_app.domain.ids import new_id
from serve_app.settings import Settings
from serve_app.store.base import Store
from serve_app.store.factory import open_files, open_store
from serve_app.store.timed import timed_store
from serve_app.telemetry import meter, series, tracer
from serve_app.telemetry.otlp import OtlpTracer
from serve_app.telemetry.prometheus.meter import PrometheusMeter
from serve_app.telemetry.roles import CHILDREN, observed_operations
from serve_app.wiring.dispatcher import build_dispatcher
from tests.support import FakeReader, claim_next, interpreting, make_record, queue_invoice
from tests.telemetry.sink import collecting

ROUNDS, DOCUMENTS = 12, 40
PAGE_SECONDS = 0.45
"""Of CPU for a real page of 91 words (docs/how-to/run-on-one-machine.md)."""


def _note_as_replicas_do() -> None:
    for stage in ("fetch", "read", "extract", "verify", "reconcile"):
        with tracer.span(stage), meter.timed(series.STAGE_SECONDS, stage=stage):
            pass
    meter.observe(series.READER_WAIT_SECONDS, 0.1, lane="new")
    meter.count(series.PAGES, kind="text")
    for field in HEADER:
        for one in (series.FIELDS, series.FIELDS_HIGH, series.FIELDS_AGREED):
            meter.count(one, field=field)


async def _round(store: Store, settings: Settings, account: Account) -> float:
    """CPU milliseconds for one document."""
    files = open_files(settings)
    dispatcher = build_dispatcher(store, files, FakeReader(), interpreting(), settings)
    began = time.process_time()
    for _ in range(DOCUMENTS):
        with tracer.span("request"):
            await queue_invoice(store, make_record(account.id, utc_now()))
        await dispatcher._run_one(await claim_next(store))
        _note_as_replicas_do()
    return (time.process_time() - began) / DOCUMENTS * 1000


async def _measure(folder: Path, url: str) -> dict[str, list[float]]:
    settings = Settings(database_url=f"sqlite:///{folder}/invoices.db", files_url=str(folder / "files"))
    store = open_store(settings)
    account = Account(new_id(), Plan.UNLIMITED, utc_now())
    await store.accounts.add(account)
    timed = timed_store(store, observed_operations("Dispatcher"))
    metrics = PrometheusMeter(folder / "metrics", [child for children in CHILDREN.values() for child in children])
    traces = OtlpTracer(url, "bench")
    kinds = {"without": (store, None, None), "metrics": (timed, metrics, None), "both": (timed, metrics, traces)}
    seen: dict[str, list[float]] = {name: [] for name in kinds}
    for number in range(ROUNDS + 1):
        for name, (chosen, recorded, traced) in kinds.items():
            meter.install(recorded)
            tracer.install(traced)
            spent = await _round(chosen, settings, account)
            if number:  # The first is for warming up.
                seen[name].append(spent)
        meter.install(None)
        tracer.install(None)
    traces.flush()
    await store.connection.close()
    return seen


def main() -> None:
    """Measure, and print medians and what they are of a page."""
    with tempfile.TemporaryDirectory() as folder, collecting() as sink:
        seen = asyncio.run(_measure(Path(folder), sink.url))
    base = seen["without"]
    for name, times in seen.items():
        more = statistics.median(late - early for late, early in zip(times, base, strict=True))
        share = more / 1000 / PAGE_SECONDS
        print(f"{name:8} {statistics.median(times):6.2f} ms a document, {more:+.2f} ms, {share:.2%} of a page")


if __name__ == "__main__":
    main()
