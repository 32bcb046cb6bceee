"""The machine's clock is set, in the middle of work: back by an hour, or ahead by a day and then right again."""

import asyncio
import contextlib
import shutil
import subprocess
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from pathlib import Path

from benchmarks.faults.ledger import Call, Outcome
from benchmarks.faults.lines import Line
from benchmarks.faults.machine.site import DEADLINE_S, Site, Skipped, held, site, stop_and_audit
from benchmarks.faults.processes import kill
from benchmarks.faults.settled import open_work

_SHIM = Path(__file__).with_name("wall_clock.c")
_BACK_S = -3600
_AHEAD_S = 24 * 3600


async def clock(folder: Path) -> list[Line]:
    """All documents finish without a restart, those in work at the step too."""
    return await _set_back(folder, is_killed=False)


async def clock_kill(folder: Path) -> list[Line]:
    """The same where the dispatcher dies just then: its leases now end in an hour, which nobody may wait for.

    Serve's controller looks at its replicas by the wall clock, so it would notice in an hour: it is restarted, as an
    operator would do.
    """
    return await _set_back(folder, is_killed=True)


async def clock_ahead(folder: Path) -> list[Line]:
    """All documents finish without a restart: those in work when the clock is set ahead, those accepted meanwhile, and
    those accepted after it was corrected."""
    async with _stepping(folder) as (place, step):
        before = await place.send(12)
        in_work = await asyncio.to_thread(open_work, place.service)
        step(_AHEAD_S)
        ahead = await place.send(12)
        step(0)
        return await _outcome(place, in_work["unfinished"], [*before, *ahead, *await place.send(8)])


async def _set_back(folder: Path, *, is_killed: bool) -> list[Line]:
    async with _stepping(folder) as (place, step):
        before = await place.send(24)
        in_work = await asyncio.to_thread(open_work, place.service)
        step(_BACK_S)
        if is_killed:
            await asyncio.to_thread(_lose_coordinator, place)
        return await _outcome(place, in_work["unfinished"], [*before, *await place.send(8)])


@contextlib.asynccontextmanager
async def _stepping(folder: Path) -> AsyncIterator[tuple[Site, Callable[[int], None]]]:
    """The service, and what sets its wall clock to so many seconds beside the right time."""
    offset = folder / "offset"
    _step(offset, 0)
    extra = {"LD_PRELOAD": str(_built(folder)), "WALL_CLOCK_OFFSET": str(offset)}
    async with asyncio.timeout(DEADLINE_S), site(folder, extra=extra) as place:
        yield place, partial(_step, offset)


async def _outcome(place: Site, unfinished: int, calls: Sequence[Call]) -> list[Line]:
    accepted = sum(call.outcome is Outcome.ACCEPTED for call in calls)
    return [
        held("documents queued or in work at the step", unfinished > 0, unfinished),
        held("documents accepted before and after it", accepted == len(calls), accepted),
        *await stop_and_audit(place),
    ]


def _step(offset: Path, seconds: int) -> None:
    """Every process of the service sees its wall clock jump at once: they have the file in their memory."""
    with offset.open("r+b" if offset.exists() else "xb") as file:
        file.write(seconds.to_bytes(4, "little", signed=True))


def _lose_coordinator(place: Site) -> None:
    for process in (place.service.replica("Coordinator"), place.service.controller()):
        assert process is not None, "there is no such process"
        kill([process])


def _built(folder: Path) -> Path:
    """The library that shifts the wall clock. libfaketime cannot be used: its version 0.9.10 breaks absolute sleeps by
    the monotonic clock, which Python's own are."""
    compiler = shutil.which("cc")
    if compiler is None:
        raise Skipped("clock needs a C compiler named cc")
    library = folder / "wall_clock.so"
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", library, _SHIM, "-ldl"], check=True)  # noqa: S603
    return library
