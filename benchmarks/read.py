"""Pages a second through the reader deployment, as a share of what the bare libraries do in a plain loop.

Starts a Ray of its own with one reader, and alternates: a round of the bare loop, a round through the deployment, so
that whatever else the machine does hits both alike. Usage: benchmarks/read.py [--rounds N] [--in-flight N]
"""

import argparse
import asyncio
import io
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from serve_app.commands.local_graph import environment

# Before anything loads Ray or an OCR engine: both read it then, and both sides shall have the same threads.
os.environ.update(environment())

import pypdfium2 as pdfium
from PIL import Image
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from actors.handles import ReaderHandle
from actors.reader import Reader
from benchmarks.paged import WholeDocuments
from serve_app.commands.local_cluster import local_ray
from serve_app.documents.images.decode import decode
from serve_app.documents.ocr.engines import engine
from serve_app.documents.reader import read_document
from serve_app.settings import Settings
from serve_app.store.factory import open_files

SAMPLES = Path(__file__).parent.parent / "samples"
WORDS = ("invoice", "number", "date", "total", "amount", "net", "gross", "due", "2024-03-05", "Bristol", "1,234.50")


@dataclass(frozen=True, slots=True)
class Load:
    """Documents of one sort and what reads them without a service around it."""

    name: str
    documents: list[bytes]
    pages: int
    aim: float
    bare: Mapping[str, Callable[[bytes], object]]


def text_pdf(pages: int, number: int) -> bytes:
    """A text layer of some 300 words a page."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=True, pageCompression=1)
    for page in range(pages):
        canvas.setFont("Helvetica", 9)
        for row in range(38):
            words = [WORDS[(row * 3 + column + page + number) % len(WORDS)] for column in range(8)]
            canvas.drawString(50, 800 - 19 * row, " ".join(words))
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def scanned_pdf(pages: int) -> bytes:
    """The sample scan as the only content of every page."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=True)
    for _ in range(pages):
        canvas.drawImage(ImageReader(Image.open(SAMPLES / "scan.jpg")), 0, 0, *A4)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def raw_pdfium(data: bytes) -> None:
    """The least that any reader of text layers does: each character and its box."""
    file = pdfium.PdfDocument(data)
    for page in file:
        text = page.get_textpage()
        text.get_text_range()
        for index in range(text.count_chars()):
            text.get_charbox(index, loose=True)
    file.close()


def loads(settings: Settings, repeat: int) -> list[Load]:
    options = settings.read_options()

    def here(data: bytes) -> object:
        return read_document(data, options)

    def raw_ocr(data: bytes) -> object:
        return engine(options.ocr).read(decode(data, options.limits.max_pixels))

    scan = (SAMPLES / "scan.jpg").read_bytes()
    text = {"same reader in a loop": here, "raw PDFium": raw_pdfium}
    ocr = {"same reader in a loop": here, "raw engine": raw_ocr}
    return [
        Load("text PDF, 5 pages", [text_pdf(5, n) for n in range(24 * repeat)], 5, 0.7, text),
        Load("text PDF, 20 pages", [text_pdf(20, n) for n in range(6 * repeat)], 20, 0.7, text),
        Load("picture", [scan] * 2 * repeat, 1, 0.9, ocr),
        Load("scanned PDF, 3 pages", [scanned_pdf(3)] * repeat, 3, 0.9, {"same reader in a loop": here}),
    ]


async def measure(load: Load, reader: WholeDocuments, keys: list[str], rounds: int, in_flight: int) -> None:
    """Print a line for each bare loop: pages a second of both, and the median of the rounds' ratios."""
    served: list[float] = []
    bare: dict[str, list[float]] = {name: [] for name in load.bare}
    for _ in range(rounds):
        for name, read in load.bare.items():
            bare[name].append(await seconds(lambda read=read: asyncio.to_thread(loop, read, load.documents)))  # type: ignore[misc]
        served.append(await seconds(lambda: through(reader, keys, in_flight)))
    total = load.pages * len(load.documents)
    for name, taken in bare.items():
        ratio = statistics.median(one / other for one, other in zip(taken, served, strict=True))
        speeds = f"{total / statistics.median(taken):8.1f} {total / statistics.median(served):8.1f}"
        print(f"{load.name:22}{name:24}{speeds}  {ratio:6.0%}  (aim {load.aim:.0%})", flush=True)


def loop(read: Callable[[bytes], object], documents: list[bytes]) -> None:
    for data in documents:
        read(data)


async def through(reader: WholeDocuments, keys: list[str], in_flight: int) -> None:
    """All documents through the deployment, a number of them at a time."""
    gate = asyncio.Semaphore(in_flight)

    async def one(key: str) -> None:
        async with gate:
            await reader.read(key)

    await asyncio.gather(*map(one, keys))


async def seconds(work: Callable[[], Awaitable[None]]) -> float:
    started = time.perf_counter()
    await work()
    return time.perf_counter() - started


async def compare(settings: Settings, arguments: argparse.Namespace) -> None:
    from ray import serve

    reader = WholeDocuments(ReaderHandle(serve.get_app_handle("read")), settings)
    files = open_files(settings)
    print(f"{'':22}{'':24}{'bare':>8} {'served':>8}  pages a second, and served / bare")
    for load in loads(settings, arguments.repeat):
        keys = [f"{load.name.replace(' ', '-').replace(',', '')}-{number}" for number in range(len(load.documents))]
        for key, data in zip(keys, load.documents, strict=True):
            await files.write(key, data)
        # Both sides have their libraries loaded before the clock runs.
        await reader.read(keys[0])
        for read in load.bare.values():
            await asyncio.to_thread(read, load.documents[0])
        # A page of OCR takes as long as a document of text.
        rounds = arguments.rounds if load.aim < 0.9 else max(1, arguments.rounds // 2)
        await measure(load, reader, keys, rounds, arguments.in_flight)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--repeat", type=int, default=1, help="times as many documents in a round")
    parser.add_argument("--in-flight", type=int, default=4, help="calls at a time")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="invoice-bench-") as folder, local_ray(2):
        from ray import serve

        settings = Settings(files_url=folder)
        serve.start(proxy_location="Disabled")
        deployment: Any = Reader
        one = deployment.options(num_replicas=1, ray_actor_options={"num_cpus": 0})
        serve.run(one.bind(settings), name="read", route_prefix=None)
        asyncio.run(compare(settings, arguments))
        serve.shutdown()  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    main()
