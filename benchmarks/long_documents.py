"""Long scans: how fast several readers read one, what the loss of a reader costs, and how long others wait meanwhile.

Usage: benchmarks/long_documents.py [--pages 40] [--readers 1 2] [--scans 8] [--scan-pages 200] [--part NAME ...]
"""

import argparse
import asyncio
import io
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from serve_app.commands import local_graph

# Before anything loads Ray: it reads this then.
os.environ.update(local_graph.environment())

import httpx
import psutil
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from actors.handles import ReaderHandle
from actors.reader import Reader
from benchmarks.paged import WholeDocuments
from serve_app.app import bind
from serve_app.commands.local_cluster import local_ray, local_serve
from serve_app.domain.account import Plan
from serve_app.domain.document import Document
from serve_app.domain.packed import PagesRead
from serve_app.services.ports import TransientError
from serve_app.settings import Settings
from serve_app.settings.keys import with_keys
from serve_app.store.factory import open_files, open_store
from serve_app.wiring.accounts import build_accounts

SAMPLES = Path(__file__).parent.parent / "samples"
PORT = 18431


def scan(pages: int) -> bytes:
    """The sample scan, half as large, on every page, each a little different."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(300, 420), invariant=True)
    picture = ImageReader(Image.open(SAMPLES / "scan.jpg").convert("L").resize((900, 1260)))
    for page in range(pages):
        canvas.drawImage(picture, 0, 0, 300, 420 - page % 7)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


class CountingReader(ReaderHandle):
    """Counts the calls that a reader's death ended, and the pages that came."""

    lost = 0
    pages = 0

    async def read(self, *arguments: Any) -> PagesRead:
        try:
            read = await super().read(*arguments)
        except TransientError:
            self.lost += 1
            raise
        self.pages += len(read.numbers)
        return read


def readers_of(number: int) -> list[psutil.Process]:
    found = [
        process
        for process in psutil.Process().children(recursive=True)
        if "ServeReplica:read:Reader" in " ".join(process.cmdline())
    ]
    assert len(found) == number, found
    return found


async def read_alone(settings: Settings, pages: int, numbers: list[int]) -> None:
    """One scan with one reader, with several, and with one of them killed."""
    from ray import serve

    files = open_files(settings)
    await files.write("scan", scan(pages))
    taken: dict[int, float] = {}
    first: Document | None = None
    deployment: Any = Reader
    for number in numbers:
        options = deployment.options(num_replicas=number, ray_actor_options={"num_cpus": 0})
        serve.run(options.bind(settings), name="read", route_prefix=None)
        reader = CountingReader(serve.get_app_handle("read"))
        documents = WholeDocuments(reader, settings)
        # Both processes of each reader have their models loaded before the clock runs.
        await asyncio.gather(*(reader.read("scan", None, which) for which in (None, (1,)) for _ in range(2 * number)))
        started = time.perf_counter()
        document = await documents.read("scan")
        taken[number] = time.perf_counter() - started
        first = first or document
        same = document == first
        print(
            f"{pages}-page scan, {number} readers: {taken[number]:.1f} s,"
            f" {taken[numbers[0]] / taken[number]:.2f} times as fast,"
            f" {'the same document' if same else 'ANOTHER DOCUMENT'}, load {os.getloadavg()[0]:.1f}",
            flush=True,
        )
    reader.pages = 0
    work = asyncio.create_task(documents.read("scan"))
    await asyncio.sleep(taken[numbers[-1]] / 2)
    readers_of(numbers[-1])[0].kill()
    document = await work
    print(
        f"one killed in the middle: {reader.lost} calls made again, {reader.pages} pages came,"
        f" {'the same document' if document == first else 'ANOTHER DOCUMENT'}"
    )
    serve.delete("read")


@dataclass(frozen=True, slots=True)
class Site:
    large: httpx.AsyncClient
    small: httpx.AsyncClient


@contextmanager
def service(folder: str) -> Iterator[Settings]:
    settings = with_keys(
        Settings(
            database_url=f"sqlite:///{folder}/invoices.db",
            files_url=f"{folder}/files",
            encryption_key_file=f"{folder}/encryption.key",
            signing_key_file=f"{folder}/signing.key",
            rate_limit=100_000,
        )
    )
    graph = local_graph.read_graph(local_graph.DEFAULT_CONFIG)
    http = local_graph.local_http_options(graph, "127.0.0.1", PORT)
    with local_serve(bind(settings, local_graph.local_options(graph)), "invoices", http):
        yield settings


@asynccontextmanager
async def clients(settings: Settings) -> AsyncIterator[Site]:
    store = open_store(settings)
    accounts = build_accounts(store)
    keys = []
    for _ in range(2):
        account = await accounts.create_account(Plan.UNLIMITED)
        keys.append((await accounts.create_key(account.id, "bench"))[1])
    await store.connection.close()
    made = [
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{PORT}", headers={"Authorization": f"Bearer {key}"}, timeout=120)
        for key in keys
    ]
    yield Site(*made)
    for client in made:
        await client.aclose()


async def send(client: httpx.AsyncClient, data: bytes, wait: bool = False) -> dict[str, Any]:
    answer = await client.post(
        "/v1/invoices", params={"wait": wait}, files={"file": ("a.pdf", data, "application/pdf")}
    )
    answer.raise_for_status()
    body: dict[str, Any] = answer.json()
    return body


async def finished(client: httpx.AsyncClient, invoice_id: str) -> None:
    for _ in range(1200):
        if (await client.get(f"/v1/invoices/{invoice_id}")).json()["status"] in {"complete", "failed"}:
            return
        await asyncio.sleep(0.5)
    raise TimeoutError(f"{invoice_id} is not finished")


async def ready(client: httpx.AsyncClient) -> None:
    end = time.monotonic() + 300
    while time.monotonic() < end:
        try:
            if (await client.get("/readyz/extract")).status_code == 200:
                return
        except httpx.TransportError:
            pass
        await asyncio.sleep(0.5)
    raise TimeoutError("the service is not ready")


async def others_wait(settings: Settings, scans: int, scan_pages: int) -> None:
    """How long a one-page PDF of one account takes while another account's scans are read."""
    page = (SAMPLES / "invoice.pdf").read_bytes()
    async with clients(settings) as site:
        await ready(site.small)
        for _ in range(3):
            started = time.perf_counter()
            await send(site.small, page, wait=True)
            print(f"one page alone: {time.perf_counter() - started:.2f} s", flush=True)
        thirty = await send(site.large, scan(30))
        await asyncio.sleep(8)
        for _ in range(3):
            started = time.perf_counter()
            invoice = await send(site.small, page, wait=True)
            status = (await site.large.get(f"/v1/invoices/{thirty['id']}")).json()["status"]
            print(
                f"one page during another account's 30-page scan ({status}): {time.perf_counter() - started:.2f} s,"
                f" {invoice['status']}, load {os.getloadavg()[0]:.1f}",
                flush=True,
            )
            await asyncio.sleep(3)
        data = scan(scan_pages)
        for _ in range(scans):
            await send(site.large, data)
        for pause in (1, 10, 10):
            await asyncio.sleep(pause)
            started = time.perf_counter()
            invoice = await send(site.small, page, wait=True)
            print(
                f"one page behind {scans} scans of {scan_pages} pages: {time.perf_counter() - started:.2f} s,"
                f" {invoice['status']}, load {os.getloadavg()[0]:.1f}",
                flush=True,
            )


def dispatcher() -> psutil.Process:
    return next(
        process
        for process in psutil.Process().children(recursive=True)
        if "ServeReplica:invoices:Dispatcher" in " ".join(process.cmdline())
    )


def cpu(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


async def dispatcher_cost(settings: Settings) -> None:
    """CPU of the dispatcher's process for each page, without what it uses while there is nothing to do."""
    from benchmarks.read import text_pdf

    async with clients(settings) as site:
        await ready(site.small)
        await send(site.small, text_pdf(1, 0), wait=True)
        process = dispatcher()
        before = cpu(process)
        await asyncio.sleep(10)
        idle = (cpu(process) - before) / 10
        for pages, count in ((1, 20), (20, 3)):
            before, started = cpu(process), time.perf_counter()
            sent = [await send(site.small, text_pdf(pages, number)) for number in range(count)]
            for invoice in sent:
                await finished(site.small, invoice["id"])
            spent = cpu(process) - before - idle * (time.perf_counter() - started)
            print(
                f"dispatcher, {count} documents of {pages} pages: {1000 * spent / (pages * count):.1f} ms of CPU a page"
                f" (idle {1000 * idle:.0f} ms a second)",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=40)
    parser.add_argument("--readers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--scans", type=int, default=8)
    parser.add_argument("--scan-pages", type=int, default=200)
    parser.add_argument("--part", nargs="+", default=["readers", "others", "dispatcher"])
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="invoice-bench-") as folder, local_ray(2):
        from ray import serve

        if "readers" in arguments.part:
            serve.start(proxy_location="Disabled")
            settings = Settings(files_url=f"{folder}/alone")
            asyncio.run(read_alone(settings, arguments.pages, arguments.readers))
            serve.shutdown()  # type: ignore[no-untyped-call]
        if {"others", "dispatcher"} & set(arguments.part):
            with service(folder) as settings:
                if "dispatcher" in arguments.part:
                    asyncio.run(dispatcher_cost(settings))
                if "others" in arguments.part:
                    asyncio.run(others_wait(settings, arguments.scans, arguments.scan_pages))


if __name__ == "__main__":
    main()
