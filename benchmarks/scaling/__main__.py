"""`python -m benchmarks.scaling [--documents N]`: queues documents and watches the replicas; first with one replica of
everything as the minimum, then from none. It takes about five minutes."""

import asyncio
import os
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from serve_app.commands.local_graph import environment

# Before anything loads Ray.
os.environ.update(environment())

import ray
from ray import serve

from benchmarks.scaling.application import MOST, graph
from benchmarks.scaling.timeline import Timeline
from serve_app.domain.account import Account, Plan
from serve_app.domain.backlog import Backlog
from serve_app.domain.clock import month_start, utc_now
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import FileInfo, Invoice, Source, Status
from serve_app.domain.record import new_record
from serve_app.settings import Settings
from serve_app.store.base import Store
from serve_app.store.factory import open_store

_SAMPLE_SECONDS = 0.5
_LONGEST_SECONDS = 240
_GPUS = 4


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=1000)
    documents = parser.parse_args().documents
    with tempfile.TemporaryDirectory() as folder:
        ray.init(
            address="local", include_dashboard=False, num_cpus=2, num_gpus=_GPUS, log_to_driver=False,
            object_store_memory=128 * 2**20,
        )  # fmt: skip
        try:
            asyncio.run(_both(Path(folder), documents))
        finally:
            serve.shutdown()  # type: ignore[no-untyped-call]
            ray.shutdown()


async def _both(folder: Path, documents: int) -> None:
    settings = _settings(folder)
    store = open_store(Settings(**settings))
    account = Account(new_id(), Plan.UNLIMITED, utc_now())
    await store.accounts.add(account)
    for fewest in (1, 0):
        await asyncio.to_thread(_deploy, graph(settings, fewest))
        await _until(partial(_is_idle, fewest), 120)
        if not fewest:
            print(f"readiness asked 20 times, models awake: {await _ask_readiness()}")
        timeline = await _watched(store, account, documents, fewest)
        drained = timeline.drained
        rate = "-" if drained is None else f"{documents / drained:.1f}"
        print(f"\nFrom {fewest} of each; {documents} documents ended after {drained} s ({rate} a second)")
        print(f"GPUs in use at most: {_gpus_of(timeline)} of {_GPUS}\n")
        print(timeline.table(fewest), flush=True)
    await store.connection.close()


def _settings(folder: Path) -> dict[str, Any]:
    return {
        "database_url": f"sqlite:///{folder}/invoices.db",
        "files_url": f"{folder}/files",
        "max_running": 16,
        "max_running_per_account": 64,
    }


def _deploy(configuration: Mapping[str, Any]) -> None:
    from ray.serve.context import _get_global_client
    from ray.serve.schema import ServeDeploySchema

    serve.start(proxy_location="Disabled")
    client = _get_global_client()
    assert client is not None
    client.deploy_apps(ServeDeploySchema.model_validate(configuration))
    end = time.monotonic() + 120
    time.sleep(1)
    while serve.status().applications["invoices"].status != "RUNNING":
        assert time.monotonic() < end, serve.status()
        time.sleep(0.5)


async def _watched(store: Store, account: Account, documents: int, fewest: int) -> Timeline:
    await _queue(store, account, documents)
    timeline = Timeline()
    while time.monotonic() < timeline.started + _LONGEST_SECONDS:
        backlog = await store.queue.backlog()
        replicas = await asyncio.to_thread(_replicas)
        waiting, running = (backlog.documents(status) for status in (Status.QUEUED, Status.PROCESSING))
        timeline.add(waiting, running, replicas, await asyncio.to_thread(_asked))
        if backlog == Backlog() and _is_down(replicas, fewest):
            break
        await asyncio.sleep(_SAMPLE_SECONDS)
    return timeline


def _is_idle(fewest: int) -> bool:
    return _is_down(_replicas(), fewest)


def _is_down(replicas: Mapping[str, int], fewest: int) -> bool:
    return all(replicas.get(name, 0) <= (1 if name == "Dispatcher" else fewest) for name in MOST)


async def _queue(store: Store, account: Account, documents: int) -> None:
    for number in range(documents):
        now = utc_now()
        file = FileInfo(name=f"{number}.pdf", mime_type="application/pdf", size_bytes=1)
        invoice = Invoice(id=new_id(), source=Source.API, created_at=now, updated_at=now, file=file)
        record = new_record(invoice, account.id)
        await store.intake.reserve(record, month_start(now), None)
        await store.intake.add(record)


def _replicas() -> dict[str, int]:
    return {name: states.get("RUNNING", 0) for name, states in _states().items()}


def _asked() -> dict[str, int]:
    return {name: sum(states.values()) - states.get("STOPPING", 0) for name, states in _states().items()}


def _states() -> dict[str, dict[str, int]]:
    """How many replicas of each deployment are in which state."""
    deployments = serve.status().applications["invoices"].deployments
    return {
        # Members of an enumeration of texts in Serve's types, which come as plain texts.
        name: {str(getattr(state, "value", state)): count for state, count in deployment.replica_states.items()}
        for name, deployment in deployments.items()
    }


def _gpus_of(timeline: Timeline) -> float:
    return max(0.5 * (s.replicas.get("Extractor", 0) + s.replicas.get("Verifier", 0)) for s in timeline.samples)


async def _ask_readiness() -> int:
    handle = serve.get_app_handle("invoices")
    for _ in range(20):
        await handle.ready.remote()
        await asyncio.sleep(0.5)
    return _replicas().get("Extractor", 0) + _replicas().get("Verifier", 0)


async def _until(holds: Callable[[], bool], seconds: float) -> None:
    end = time.monotonic() + seconds
    while not await asyncio.to_thread(holds):
        assert time.monotonic() < end, _replicas()
        await asyncio.sleep(1)


if __name__ == "__main__":
    main()
