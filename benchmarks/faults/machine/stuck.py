"""Reads that never end: named pipes in place of stored files keep every thread that opens one waiting."""

import asyncio
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.faults.ledger import Call
from benchmarks.faults.lines import Line
from benchmarks.faults.machine.site import DEADLINE_S, Site, held, site, stop_and_audit
from benchmarks.faults.settled import wait_until_settled
from serve_app.domain.record import file_key_of
from serve_app.system.thread_pools import FILES

# The pool's timeout, three health checks 10 s apart, the stop of the old replica, and the start of the new one.
_REPLACED_WITHIN_S = 240.0


async def stuck(folder: Path) -> list[Line]:
    """All threads that read files hang in the ingress. Serve replaces it, though the cause continues."""
    async with asyncio.timeout(DEADLINE_S), site(folder) as place:
        before = await place.send(FILES.threads + 4)
        await wait_until_settled(place.service)
        links = [await place.client.link(call) for call in before[: FILES.threads]]
        with _replaced_by_pipes([_path(place, call) for call in before[: FILES.threads]], place.service.folder):
            lines = await _hang(place, links, before)
        downloaded = await _download(place, links)
        return [
            *lines,
            held("documents that could be downloaded afterwards", all(downloaded), sum(downloaded)),
            *await stop_and_audit(place),
        ]


async def _hang(place: Site, links: Sequence[str], before: list[Call]) -> list[Line]:
    old, began = place.service.replica("Ingress"), time.monotonic()
    assert old is not None
    hanging = asyncio.create_task(_download(place, links))
    await asyncio.sleep(2)
    creating = asyncio.create_task(place.send(6))
    readable = await place.readable(before)
    seconds = await _seconds_until_replaced(place, old.pid, began)
    after = await place.recovers()
    ended, accepted = sum(await hanging), sum(call.invoice_id is not None for call in await creating)
    return [
        held("downloads that ended while the replica hung", ended == 0, ended),
        Line("creates meanwhile, of them accepted", f"6, {accepted}"),
        held("earlier invoices that could be read meanwhile", readable == len(before), readable),
        held("seconds until Serve had replaced the replica", seconds < _REPLACED_WITHIN_S, f"{seconds:.0f}"),
        held("calls until one was accepted again, without a restart", bool(after[-1].invoice_id), len(after)),
    ]


async def _seconds_until_replaced(place: Site, old: int, began: float) -> float:
    """Since `began`, until the process `old` was gone and another one in its place."""
    while (waited := time.monotonic() - began) < _REPLACED_WITHIN_S:
        found = await asyncio.to_thread(place.service.replica, "Ingress")
        if found is not None and found.pid != old:
            break
        await asyncio.sleep(0.5)
    return waited


async def _download(place: Site, links: Sequence[str]) -> list[bool]:
    return list(await asyncio.gather(*(place.client.can_download(link) for link in links)))


def _path(place: Site, call: Call) -> Path:
    assert call.invoice_id is not None
    return place.service.files / file_key_of(call.account_id, call.invoice_id)


@contextmanager
def _replaced_by_pipes(paths: Sequence[Path], folder: Path) -> Iterator[None]:
    """Opening one of `paths` waits forever meanwhile; the files are kept in `folder`."""
    for path in paths:
        path.rename(folder / path.name)
        os.mkfifo(path, 0o600)
    try:
        yield
    finally:
        for path in paths:
            (folder / path.name).rename(path)
