"""The disk is full: a small file system of its own, filled to the last block while documents are in work."""

import asyncio
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.faults.lines import Line
from benchmarks.faults.machine.site import DEADLINE_S, Skipped, held, refusals, site, stop_and_audit

# The service refuses to start with less than 1 GB free; once it runs, the disk shrinks.
_AT_START, _SMALL = "1200m", "96m"
_FULL_S = 8.0


async def disk_full(folder: Path) -> list[Line]:
    """Creates are refused while it is full, reads go on, and it recovers without a restart."""
    if os.geteuid() != 0:
        raise Skipped("disk-full mounts a file system of its own, which needs root")
    with _mounted(folder / "disk") as disk:
        async with asyncio.timeout(DEADLINE_S), site(folder, data=disk / "data") as place:
            _mount("-o", f"remount,size={_SMALL}", str(disk))
            before = await place.send(8)
            await asyncio.to_thread(_fill, disk / "ballast")
            during = await place.send(10)
            await asyncio.sleep(_FULL_S)
            during += await place.send(10)
            readable = await place.readable(before)
            (disk / "ballast").unlink()
            after = await place.recovers()
            return [
                *refusals(during),
                held("earlier invoices that could be read meanwhile", readable == len(before), readable),
                held("calls until one was accepted again, without a restart", bool(after[-1].invoice_id), len(after)),
                *await stop_and_audit(place),
            ]


@contextmanager
def _mounted(folder: Path) -> Iterator[Path]:
    folder.mkdir()
    _mount("-t", "tmpfs", "-o", f"size={_AT_START}", "tmpfs", str(folder))
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=False)  # noqa: S603, S607


def _mount(*arguments: str) -> None:
    subprocess.run(["mount", *arguments], check=True)  # noqa: S603, S607


def _fill(ballast: Path) -> None:
    """Write until not even one block more goes in."""
    with ballast.open("wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12):
            try:
                while True:
                    file.write(bytes(size))
            except OSError:
                continue
