"""The ways in which Ray Serve can take requests, and the service measured in one of them."""

import asyncio
import os
from pathlib import Path

from benchmarks.api.held import CALLS, measure_held
from benchmarks.api.memory import Peak, titled
from benchmarks.api.rates import measure_rates, rates_table
from benchmarks.api.seed import Seeded, seed
from benchmarks.api.uploads import OFFERED, upload_too_much
from benchmarks.faults.service import Service
from benchmarks.store.report import Result, table

MODES = {
    "default": {},
    "haproxy": {
        "RAY_SERVE_ENABLE_HA_PROXY": "1",
        # Where nobody waits for the last requests, the drain of 30 s is only lost time.
        "RAY_SERVE_DIRECT_INGRESS_MIN_DRAINING_PERIOD_S": "1",
    },
}
"""What sets each, in the environment of the service."""
_PROXIES = {"default": "ProxyActor", "haproxy": "bin/haproxy"}
# With its own process, or on two cores in that of all but the Ingress.
_READERS = ("ServeReplica:invoices:Reader", "ServeReplica:invoices:Worker")
_UPLOADS = 4
_MIB = 2**20


def measure_mode(mode: str, folder: Path, seconds: int) -> Result:
    """Start the service in this mode, in `folder`, and measure it."""
    folder.mkdir()
    settings = {"MAX_HELD_CALLS": str(CALLS), "RATE_LIMIT": str(10**9)}
    service = Service(folder, extra={**settings, **MODES[mode]})
    seeded = asyncio.run(seed(service.database, service.settings()))
    service.start()
    try:
        measured = measure_rates(service.url, seeded, seconds)
        held, uploads = _held(service, seeded, mode), _uploads(service, seeded, mode)
    finally:
        service.stop()
    load = os.getloadavg()[0]
    lines = [f"### Mode: {mode}", "", *rates_table(measured), *held, *uploads, f"Load of the machine: {load:.1f}", ""]
    return Result(lines, all(measurement.is_kept for measurement in measured))


def _held(service: Service, seeded: Seeded, mode: str) -> list[str]:
    (ingress,), (reader,) = titled("ServeReplica:invoices:Ingress"), titled(*_READERS)
    watched = {"ingress": ingress, "proxy": titled(_PROXIES[mode])[0]}
    held = asyncio.run(measure_held(service.url, seeded.key, reader, watched))
    rows = [(name, f"{each / 1024:.0f}") for name, each in held.bytes_each.items()]
    answers = ", ".join(f"{count} times {status}" for status, count in held.statuses.items())
    return [*table((f"{CALLS} held calls", "KiB each"), rows), f"Then they were answered: {answers}.", ""]


def _uploads(service: Service, seeded: Seeded, mode: str) -> list[str]:
    rows = []
    for announced in (True, False):
        asyncio.run(_upload(service.url, seeded.key, announced))
        for name, title in {"ingress": "ServeReplica:invoices:Ingress", "proxy": _PROXIES[mode]}.items():
            with Peak(titled(title)) as peak:
                asyncio.run(_upload(service.url, seeded.key, announced))
            rows.append(("Content-Length" if announced else "chunked", name, f"{peak.growth / _MIB:.0f}"))
    head = (f"{_UPLOADS} x 3 uploads of {OFFERED // _MIB} MiB", "process", "peak growth MiB")
    return table(head, rows)


async def _upload(url: str, key: str, announced: bool) -> None:
    for _ in range(3):
        await asyncio.gather(*(upload_too_much(url, key, announced=announced) for _ in range(_UPLOADS)))
