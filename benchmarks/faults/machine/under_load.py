"""Processes of the service that stand still, run out of descriptors, lose their children, or get other keys."""

import asyncio
import sys
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path

import psutil

from benchmarks.faults.ledger import Call, Outcome
from benchmarks.faults.lines import Line
from benchmarks.faults.machine.site import DEADLINE_S, Site, held, site, stop_and_audit
from benchmarks.faults.processes import below, freeze, kill

_FROZEN_S, _STARVED_S, _KILLING_S = 60.0, 20.0, 30.0
_KILL_EVERY_S = 1.5
# All of them, two at a time, so that a run stays short.
_PAIRS = (
    ("Ingress", "Reader"),
    ("Coordinator", "Extractor"),
    ("Coordinator", "Verifier"),
    ("proxy", "controller"),
)
_STARVED = ("Ingress", "Coordinator", "Reader", "proxy")
_ROTATIONS = 4
Work = Callable[[Site], Coroutine[None, None, list[Call]]]


async def frozen(folder: Path) -> list[Line]:
    """Every process stands still for a minute. What was accepted before and meanwhile is finished afterwards."""
    return await _run(folder, _freeze_all)


async def descriptors(folder: Path) -> list[Line]:
    """Processes may open nothing more for a while. They recover without a restart."""
    return await _run(folder, _starve)


async def reader_killed(folder: Path) -> list[Line]:
    """The processes that read documents are killed again and again, as the kernel does where memory runs out."""
    return await _run(folder, _kill_readers)


async def keys(folder: Path) -> list[Line]:
    """Both keys change several times while documents come in; the old ones are retired."""
    return await _run(folder, _rotate)


async def _run(folder: Path, work: Work) -> list[Line]:
    async with asyncio.timeout(DEADLINE_S), site(folder) as place:
        before = await place.send(8)
        during = await work(place)
        after = await place.recovers()
        accepted = [call for call in (*before, *during) if call.outcome is Outcome.ACCEPTED]
        return [
            Line("calls before and meanwhile, of them accepted", f"{len(before) + len(during)}, {len(accepted)}"),
            held("calls until one was accepted again, without a restart", bool(after[-1].invoice_id), len(after)),
            *await stop_and_audit(place),
        ]


async def _freeze_all(place: Site) -> list[Call]:
    calls: list[Call] = []
    for pair in _PAIRS:
        stood = [asyncio.create_task(asyncio.to_thread(freeze, each, _FROZEN_S)) for each in _found(place, pair)]
        sending = asyncio.create_task(place.send(2))
        await asyncio.gather(*stood)
        calls += await sending
    return calls


async def _starve(place: Site) -> list[Call]:
    processes = _found(place, _STARVED)
    before = [process.rlimit(psutil.RLIMIT_NOFILE) for process in processes]
    for process, (_, hard) in zip(processes, before, strict=True):
        process.rlimit(psutil.RLIMIT_NOFILE, (process.num_fds(), hard))
    try:
        calls = await place.send(6)
        await asyncio.sleep(_STARVED_S)
        return calls + await place.send(6)
    finally:
        for process, limit in zip(processes, before, strict=True):
            if process.is_running():
                process.rlimit(psutil.RLIMIT_NOFILE, limit)


async def _kill_readers(place: Site) -> list[Call]:
    sending = asyncio.create_task(place.send(16))
    for _ in range(round(_KILLING_S / _KILL_EVERY_S)):
        for reader in _found(place, ("Reader",)):
            # The child that was started last: it has a document, if any has.
            kill(below(reader.pid)[-1:])
        await asyncio.sleep(_KILL_EVERY_S)
    return await sending


async def _rotate(place: Site) -> list[Call]:
    calls: list[Call] = []
    for _ in range(_ROTATIONS):
        sending = asyncio.create_task(place.send(6))
        for key in ("encryption", "signing"):
            await _invoices(place, "keys", "rotate", key)
            await _invoices(place, "keys", "retire", key, "--yes")
        calls += await sending
    return calls


async def _invoices(place: Site, *arguments: str) -> None:
    program = str(Path(sys.executable).with_name("invoices"))
    environment = await asyncio.to_thread(place.service.environment)
    process = await asyncio.create_subprocess_exec(program, *arguments, env=environment)
    if await process.wait() != 0:
        raise RuntimeError(f"invoices {' '.join(arguments)} failed")


def _found(place: Site, names: Sequence[str]) -> list[psutil.Process]:
    find = {"proxy": place.service.proxy, "controller": place.service.controller}
    found = [find[name]() if name in find else place.service.replica(name) for name in names]
    return [process for process in found if process is not None]
