"""Read thousands of documents of all kinds one after the other in the service's reading process, and watch its memory.

`--pictures` of the PDFs are read as pictures of many sizes, because pictures let memory grow. Each document is a line
in the log, which a further run continues, with a new process. A run fails if a process was lost.
Usage: python -m benchmarks.reader_memory FOLDER ... [--documents N] [--pictures SHARE] [--seed N] [--log FILE]
"""

import argparse
import io
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import psutil
import pypdfium2 as pdfium

from benchmarks.fuzz.seeds import hybrid_pdf, seeds, text_pdf
from serve_app.documents.isolation.supervisor import Supervisor
from serve_app.documents.slices import WHOLE
from serve_app.documents.sniff import sniff
from serve_app.domain.errors import DocumentError
from serve_app.settings import Settings

MIB = 2**20
WIDTHS = (700, 3000)
"""Of pictures drawn from PDFs, in pixels."""
EINVOICES = 0.03
"""The share of electronic invoices."""
MARKS = (100, 500, 1000, 1500, 2000)


def main() -> int:
    arguments = _parser().parse_args()
    done = _lines(arguments.log)
    reader = Supervisor(replace(Settings().read_options(), preloads_ocr=True))
    try:
        with arguments.log.open("a", encoding="utf-8") as log:
            for line in _read_all(reader, arguments, len(done)):
                print(json.dumps(line), file=log, flush=True)
    finally:
        reader.close()
    lines = _lines(arguments.log)
    print(*_report(lines), sep="\n")
    return 1 if any(line["lost"] for line in lines) else 0


def _read_all(reader: Supervisor, arguments: argparse.Namespace, start: int) -> Iterator[dict[str, Any]]:
    files = sorted(path for folder in arguments.folders for path in folder.rglob("*") if _is_document(path))
    Random(arguments.seed).shuffle(files)  # noqa: S311 - an order, no secret
    for number in range(start, arguments.documents):
        data = _made(files[number % len(files)], Random(f"{arguments.seed}:{number}"), arguments.pictures)  # noqa: S311
        yield {"number": number + 1, "kind": sniff(data), **_read(reader, data)}


def _is_document(path: Path) -> bool:
    return path.is_file() and path.suffix.lower() in {".pdf", ".html", ".jpg", ".jpeg", ".png", ".webp", ".heic"}


def _made(path: Path, random: Random, pictures: float) -> bytes:
    """The file, an electronic invoice in its place, or its first page as a picture."""
    if random.random() < EINVOICES:
        return random.choice([*seeds()["xml"], hybrid_pdf(text_pdf())])
    is_picture = path.suffix.lower() == ".pdf" and random.random() < pictures
    return _drawn(path, random) if is_picture else path.read_bytes()


def _drawn(path: Path, random: Random) -> bytes:
    with pdfium.PdfDocument(path) as file:
        page = file[0]
        image = page.render(scale=random.randint(*WIDTHS) / page.get_width()).to_pil().convert("L")
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=random.randint(40, 95))
    return buffer.getvalue()


def _read(reader: Supervisor, data: bytes) -> dict[str, Any]:
    """What reading did to the process that read."""
    before, started = reader.losses.total(), time.monotonic()
    reader.tidy()
    outcome, ocr = "read", 0.0
    try:
        ocr = reader.read_slice(data, WHOLE).ocr_seconds
    except DocumentError as error:
        outcome = str(error.code)
    return {
        "outcome": outcome,
        "by_ocr": ocr > 0,
        "seconds": round(time.monotonic() - started, 2),
        "lost": reader.losses.total() - before,
        "process": reader.pid,
        **_memory(reader.pid),
    }


def _memory(pid: int | None) -> dict[str, int]:
    """In MiB: `size` is its address space, which is limited, `peak` the most that it has been."""
    if pid is None:
        return {}
    status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    sizes = {name: int(status[key].split()[0]) * 1024 // MIB for name, key in (("size", "VmSize"), ("peak", "VmPeak"))}
    return {**sizes, "own": psutil.Process(pid).memory_full_info().uss // MIB}


def _report(lines: Sequence[dict[str, Any]]) -> Iterator[str]:
    yield "| documents | by OCR | lost | processes | memory, MiB | address space, MiB: between documents, highest |"
    yield "|---|---|---|---|---|---|"
    for mark in (each for each in MARKS if each <= len(lines)):
        yield _row(lines[:mark], lines[max(0, mark - 100) : mark])
    yield f"{dict(Counter(line['kind'] for line in lines))}, {dict(Counter(line['outcome'] for line in lines))}"


def _row(lines: Sequence[dict[str, Any]], last: Sequence[dict[str, Any]]) -> str:
    by_ocr = sum(line["by_ocr"] for line in lines)
    lost, processes = sum(line["lost"] for line in lines), len({line["process"] for line in lines})
    own, size = (sorted(line[name] for line in last)[len(last) // 2] for name in ("own", "size"))
    peak = max(line["peak"] for line in last)
    return f"| {len(lines)} | {by_ocr} | {lost} | {processes} | {own} | {size}, {peak} |"


def _lines(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reader_memory", description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--documents", type=int, default=2000)
    parser.add_argument("--pictures", type=float, default=0.4, help="the share of PDFs that are read as pictures")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", type=Path, default=Path("build/reader-memory.jsonl"))
    return parser


if __name__ == "__main__":
    sys.exit(main())
