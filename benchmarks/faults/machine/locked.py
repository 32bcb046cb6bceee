"""The database is locked: another process holds its write lock for longer than any call waits."""

import asyncio
import sys
from pathlib import Path

from benchmarks.faults.lines import Line
from benchmarks.faults.machine.site import DEADLINE_S, held, refusals, site, stop_and_audit

LOCKED_S = 8
_HOLD = """
import sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=30)
connection.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
time.sleep(float(sys.argv[2]))
connection.execute("ROLLBACK")
"""


async def locked(folder: Path) -> list[Line]:
    """Creates wait or are refused while it lasts, and all is well afterwards."""
    async with asyncio.timeout(DEADLINE_S), site(folder) as place:
        before = await place.send(6)
        holder = await asyncio.create_subprocess_exec(
            sys.executable, "-c", _HOLD, str(place.service.database), str(LOCKED_S), stdout=asyncio.subprocess.PIPE
        )
        assert holder.stdout is not None
        await holder.stdout.readline()
        creating = asyncio.create_task(place.send(10))
        # The calls that create are to be the first that wait.
        await asyncio.sleep(0.5)
        readable = await place.readable(before)
        during = await creating
        await holder.wait()
        after = await place.recovers()
        return [
            *refusals(during),
            Line("earlier invoices that could be read meanwhile", f"{readable} of {len(before)}"),
            held("calls until one was accepted again", bool(after[-1].invoice_id), len(after)),
            *await stop_and_audit(place),
        ]
