"""Read thousands of broken and hostile files in reader processes; 1 when a promise is broken.

Usage: python -m benchmarks.fuzz [--files N] [--seed N] [--minutes M] [--workers N] [--engine NAME]
                               [--keep FOLDER] [--only NUMBER]
"""

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.fuzz.files import Files, FuzzFile
from benchmarks.fuzz.report import MISBEHAVED, Report
from benchmarks.fuzz.watch import WatchedFolders, canary
from serve_app.documents.isolation.reader import IsolatedReader
from serve_app.documents.limits import MIB, Limits
from serve_app.documents.options import OcrOptions, ReadOptions
from serve_app.documents.sniff import sniff
from serve_app.domain.errors import DocumentError

# Tighter than in service, so that a file that wastes time or memory wastes less of the run's.
LIMITS = Limits(max_pages=20, max_pixels=10_000_000, page_seconds=20, max_seconds=40, max_memory_bytes=1536 * MIB)
# Two starts of a process on a busy machine come on top of a document's time.
TIMEOUT_SECONDS = 30


async def fuzz(arguments: argparse.Namespace, work: Path) -> Report:
    report = Report(arguments.seed, LIMITS.max_seconds + TIMEOUT_SECONDS)
    async with canary() as bird:
        files, watched = Files(arguments.seed, bird.url), WatchedFolders()
        tempfile.tempdir = str(work)
        numbers = _numbers(arguments, time.monotonic() + arguments.minutes * 60)
        async with asyncio.TaskGroup() as group:
            for _ in range(arguments.workers):
                group.create_task(_work(numbers, files, report, arguments))
        report.written = watched.written() + sorted(os.listdir(work))
        report.connections = bird.connections
    return report


def _numbers(arguments: argparse.Namespace, end: float) -> Iterator[int]:
    for number in range(arguments.files) if arguments.only is None else [arguments.only]:
        if time.monotonic() > end:
            return
        yield number


async def _work(numbers: Iterator[int], files: Files, report: Report, arguments: argparse.Namespace) -> None:
    reader = IsolatedReader(ReadOptions(LIMITS, OcrOptions(arguments.engine, ("eng",), "cpu")))
    try:
        await reader.start()
        for number in numbers:
            file = await asyncio.to_thread(files.make, number)
            await _read(reader, file, report, arguments.keep)
    finally:
        report.losses.update({str(cause): count for cause, count in reader.losses.items()})
        await asyncio.to_thread(reader.close)


async def _read(reader: IsolatedReader, file: FuzzFile, report: Report, keep: Path) -> None:
    lost, started = reader.losses.total(), time.monotonic()
    outcome = await _outcome(reader, file, report)
    seconds = time.monotonic() - started
    report.add(f"file {file.number}, {file.kind}", file.kind, outcome, seconds)
    if reader.losses.total() > lost or seconds > LIMITS.page_seconds / 2:
        print(
            f"file {file.number} ({file.kind}): {outcome}, {seconds:.1f} s, lost so far: {dict(reader.losses)}",
            flush=True,
        )
        await asyncio.to_thread(_keep, keep / f"{report.seed}-{file.number}", file.data)


def _keep(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


async def _outcome(reader: IsolatedReader, file: FuzzFile, report: Report) -> str:
    if sniff(file.data) is None:
        return "refused"
    try:
        await asyncio.wait_for(reader.read(file.data), report.limit_seconds + TIMEOUT_SECONDS)
    except DocumentError as error:
        return str(error.code) if "Reading the document" not in error.message else "quarantined"
    except Exception as error:
        report.errors.append(f"file {file.number} ({file.kind}): {error!r}")
        return MISBEHAVED
    return "read"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=60, help="stop after so long")
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--engine", default="tesseract", help="the OCR engine; tesseract takes the least time")
    parser.add_argument("--keep", type=Path, default=Path("build/fuzz"), help="where files go that cost a process")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="this one file of the run")
    arguments = parser.parse_args()
    arguments.keep = arguments.keep.absolute()
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="invoice-fuzz-") as work:
        # Readers of root are other users, and have their folders in it.
        Path(work).chmod(0o711)
        report = asyncio.run(fuzz(arguments, Path(work)))
    print(*report.lines(time.monotonic() - started), sep="\n")
    return 1 if report.broken_promises else 0


if __name__ == "__main__":
    sys.exit(main())
