"""The files are out of reach: their folder is gone, or something else is in its place."""

import asyncio
import shutil
from pathlib import Path

from benchmarks.faults.lines import Line
from benchmarks.faults.machine.site import DEADLINE_S, held, refusals, site, stop_and_audit

_GONE_S = 20.0


async def blocked(folder: Path) -> list[Line]:
    """A file stands where the folder was. Creates are refused while it lasts, documents accepted before are read once
    it is over."""
    return await _without_files(folder, is_blocked=True)


async def moved(folder: Path) -> list[Line]:
    """The same with nothing where the folder was, as after a volume that was lost: the service may not begin a new
    folder of its own there."""
    return await _without_files(folder, is_blocked=False)


async def _without_files(folder: Path, *, is_blocked: bool) -> list[Line]:
    async with asyncio.timeout(DEADLINE_S), site(folder) as place:
        before = await place.send(24)
        files, aside = place.service.files, place.service.files.with_name("files-elsewhere")
        files.rename(aside)
        if is_blocked:
            files.touch()
        during = await place.send(10)
        readable = await place.readable(before)
        await asyncio.sleep(_GONE_S)
        begun = await asyncio.to_thread(_put_back, files, aside)
        after = await place.recovers()
        return [
            *refusals(during),
            held("files written into a folder that was begun meanwhile", begun == 0, begun),
            held("earlier invoices that could be read meanwhile", readable == len(before), readable),
            held("calls until one was accepted again", bool(after[-1].invoice_id), len(after)),
            *await stop_and_audit(place),
        ]


def _put_back(files: Path, aside: Path) -> int:
    """Put the folder back where it was; how many files were written in its place meanwhile."""
    written = [path for path in files.rglob("*") if path.is_file()] if files.is_dir() else []
    if files.is_dir():
        shutil.rmtree(files)
    else:
        files.unlink(missing_ok=True)
    aside.rename(files)
    return len(written)
