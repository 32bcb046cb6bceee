"""Send 1,000 documents with each client through faults and kills: `python -m scripts.clients.exactly_once [COUNT]`.

The service refuses a tenth of the calls with 429 or 503. A proxy before it loses connections, before and after the
service answers. The service and the client are killed with SIGKILL and started again, three times each.
"""

import asyncio
import csv
import os
import random
import shutil
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from invoices_client import AsyncClient
from scripts.clients.formatting import ROOT
from scripts.clients.trial_service import add_account, start_service
from tests.support import PDF_BYTES
from tests.support.ports import free_port

CLIENTS: Mapping[str, Sequence[str]] = {
    "Python": (sys.executable, "-m", "invoices_client.cli"),
    "TypeScript": ("node", str(ROOT / "clients" / "typescript" / "dist" / "node" / "cli.js")),
}
_REFUSED = 0.1
_LOST = 0.02
_KILLS = ("service", "client", "service", "client", "service", "client")


class TrialError(Exception):
    """A document was lost, or became two invoices."""


class Proxy:
    """Passes connections on to a port, and closes a share of them before a request or before its answer."""

    def __init__(self, port: int, share: float) -> None:
        self._port = port
        self._share = share
        self.lost: Counter[str] = Counter()

    async def serve(self) -> asyncio.Server:
        return await asyncio.start_server(self._connect, "127.0.0.1")

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, here = await asyncio.open_connection("127.0.0.1", self._port)
        except OSError:
            self.lost["refused"] += 1
            writer.close()
            return
        try:
            passing = [self._pass(reader, here, "request"), self._pass(there, writer, "answer")]
            tasks = [asyncio.ensure_future(each) for each in passing]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            writer.close()
            here.close()

    async def _pass(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, what: str) -> None:
        while data := await source.read(65536):
            if random.random() < self._share:  # noqa: S311
                self.lost[what] += 1
                return
            target.write(data)
            await target.drain()


async def main(count: int) -> None:
    """Raises TrialError unless each document of each client became one invoice."""
    for name, command in CLIENTS.items():
        if shutil.which(command[0]) is None:
            print(f"{name}: not tried, {command[0]} is missing")
            continue
        with TemporaryDirectory() as folder:
            print(f"{name}: {await Trial(Path(folder), count).run(command)}", flush=True)


class Trial:
    """A folder with documents, a store, and the service that is killed."""

    def __init__(self, folder: Path, count: int) -> None:
        self._folder = folder
        self._documents = [folder / f"{number:04}.pdf" for number in range(count)]
        for path in self._documents:
            path.write_bytes(PDF_BYTES + path.name.encode())
        self._port = free_port()
        self._proxy = Proxy(self._port, _LOST)
        self._starts = 0

    async def run(self, command: Sequence[str]) -> str:
        """What happened, in words."""
        began, key, server = time.perf_counter(), await add_account(self._folder), await self._proxy.serve()
        service, client = await self._start_service(), await self._start_client(command, server, key)
        try:
            for number, killed in enumerate(_KILLS, 1):
                await _reach(client, number * len(self._documents) // (len(_KILLS) + 1))
                if killed == "service":
                    await _kill(service)
                    service = await self._start_service()
                else:
                    await _kill(client)
                    client = await self._start_client(command, server, key)
            _, errors = await client.communicate()
            if client.returncode != 0:
                raise TrialError(errors.decode()[-2000:])
            seconds = time.perf_counter() - began
            await self._check(key)
        finally:
            for process in (client, service):
                await _kill(process)
            server.close()
        return f"{len(self._documents)} documents, {len(_KILLS)} kills, {dict(self._proxy.lost)} lost, {seconds:.0f} s"

    async def _start_service(self) -> Process:
        self._starts += 1
        return await start_service(self._folder, self._port, self._starts - 1, _REFUSED)

    async def _start_client(self, command: Sequence[str], server: asyncio.Server, key: str) -> Process:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        path = os.pathsep.join([str(ROOT / "clients" / "python" / "src"), str(ROOT)])
        environment = {**os.environ, "INVOICES_URL": url, "INVOICES_API_KEY": key, "PYTHONPATH": path}
        arguments = ("send", *map(str, self._documents), "--out", str(self._folder / "results.csv"))
        return await asyncio.create_subprocess_exec(*command, *arguments, env=environment, stderr=PIPE)

    async def _check(self, key: str) -> None:
        """The table names an invoice for each document, and the service has no others."""
        async with AsyncClient(api_key=key, url=f"http://127.0.0.1:{self._port}", max_retries=20) as client:
            invoices = {each.id: each.file.name async for each in client.invoices.list(limit=100)}
        found = {path: invoices.get(id) for path, id in _read_table(self._folder / "results.csv")}
        names = {str(path): path.name for path in self._documents}
        if found != names or len(invoices) != len(names):
            raise TrialError(f"{len(names)} documents, {len(found)} rows, {len(invoices)} invoices")


def _read_table(path: Path) -> list[tuple[str, str]]:
    """The file and the id of each row."""
    with path.open(newline="", encoding="utf-8") as file:
        return [(row["file"], row["id"]) for row in csv.DictReader(file)]


async def _reach(client: Process, count: int) -> None:
    """Wait until a client has finished some documents."""
    while client.stderr and (line := await client.stderr.readline()):
        if int(line.partition(b"/")[0]) >= count:
            return
    raise TrialError(f"the client ended before document {count}")


async def _kill(process: Process) -> None:
    if process.returncode is None:
        process.kill()
        await process.wait()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000))
