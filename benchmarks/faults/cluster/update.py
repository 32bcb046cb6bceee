"""One machine after the other gets a changed version of the program, under load, and then the one before again."""

import asyncio
import shutil
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import httpx
from pymongo import MongoClient

from benchmarks.faults.accounts import make_accounts
from benchmarks.faults.clients import Account
from benchmarks.faults.cluster.machine import PACKAGE, ROOT, Machine
from benchmarks.faults.cluster.service import ClusterService, answers
from benchmarks.faults.documents import documents
from benchmarks.faults.lines import Line, listed, promise
from benchmarks.faults.mongo_contents import create_collections
from benchmarks.faults.settled import wait_until_settled
from serve_app.store.mongo.engine.client import database_name

_BACK_WITHIN_S = 240.0
_PAUSE_S = 0.3
_DRAIN_S = 3.0
_VERSIONS = [1, 2, 2]
_SCHEMA = PACKAGE / "store" / "mongo" / "schema.py"


@dataclass(slots=True)
class Balancer:
    """In front of the machines: sends each call to the next one that takes part. `failures` are calls without an
    answer, or with one of 500 or more."""

    taking_part: list[Machine]
    calls: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    _turn: Iterator[int] = field(default_factory=count)

    async def call(self, http: httpx.AsyncClient, account: Account, method: str, path: str, data: bytes = b"") -> None:
        """One call, counted."""
        machine = self.taking_part[next(self._turn) % len(self.taking_part)]
        files = {"file": ("a.pdf", data, "application/pdf")} if data else None
        headers = {"Authorization": f"Bearer {account.key}"}
        try:
            answer = await http.request(method, machine.url + path, headers=headers, files=files)
            code = str(answer.status_code)
        except httpx.HTTPError as error:
            code = type(error).__name__
        self.calls[f"{method} {path}"] += 1
        if not code.isdigit() or int(code) >= 500:
            self.failures.append(f"{method} {path} at {machine.name}: {code}")

    @contextmanager
    def without(self, machine: Machine) -> Iterator[None]:
        """Take a machine out, and back in at the end."""
        self.taking_part = [each for each in self.taking_part if each is not machine]
        yield
        self.taking_part.append(machine)


async def run_update(clients: int, seed: int, folder: Path, mongodb: str) -> tuple[list[str], bool]:
    """The report, and whether every promise was kept. Raises NotReady, or TimeoutError if a machine does not come
    back."""
    create_collections(mongodb)
    service = ClusterService(folder, mongodb)
    changed = _changed_version(folder / "changed")
    try:
        accounts = await make_accounts(service.settings(), clients)
        await asyncio.to_thread(service.start)
        versions = [_stored_version(mongodb)]
        balancer, over = Balancer(list(service.machines)), asyncio.Event()
        load = [asyncio.create_task(_load(balancer, account, seed, over)) for account in accounts]
        began = time.monotonic()
        for program in (changed, ROOT):
            for machine in (*service.workers, service.head):
                await _update(balancer, machine, program)
            versions.append(_stored_version(mongodb))
        seconds = time.monotonic() - began
        over.set()
        await asyncio.gather(*load)
        settled_s = await wait_until_settled(service)
    finally:
        await asyncio.to_thread(service.stop)
    lines = [
        Line("calls", f"{balancer.calls.total()}: {listed(balancer.calls)}"),
        promise(
            "the database's version is not 1 at first, then 2, and 2 in the end",
            [str(versions)] if versions != _VERSIONS else [],
        ),
        promise("failed calls", balancer.failures),
        promise("left to do in the end", [] if settled_s < _BACK_WITHIN_S else ["documents"]),
    ]
    report = [f"### Update of three machines and back, {seconds:.0f} s", ""]
    report += [f"| {line.name} | {line.figure} | {line.verdict} |" for line in lines]
    return [*report, *sorted(balancer.failures)[:20]], all(line.is_kept for line in lines)


async def _update(balancer: Balancer, machine: Machine, program: Path) -> None:
    """As docs/how-to/update.md says: out of the load balancer, new version, start again."""
    with balancer.without(machine):
        # What is in progress there ends.
        await asyncio.sleep(_DRAIN_S)
        began = time.monotonic()
        await asyncio.to_thread(machine.update, program)
        async with asyncio.timeout(_BACK_WITHIN_S):
            while not await asyncio.to_thread(answers, machine, "/readyz"):  # noqa: ASYNC110 - watched from outside
                await asyncio.sleep(0.5)
        summary = f"{balancer.calls.total()} calls, {len(balancer.failures)} failed"
        print(f"{machine.name} works on {program.name} after {time.monotonic() - began:.0f} s; {summary}", flush=True)


async def _load(balancer: Balancer, account: Account, seed: int, over: asyncio.Event) -> None:
    """Documents, lists and questions whether the service is ready, until it is over."""
    async with httpx.AsyncClient(timeout=60) as http:
        every = documents(50, seed)
        for number in count():
            if over.is_set():
                return
            await balancer.call(http, account, "GET", "/readyz")
            await balancer.call(http, account, "GET", "/v1/invoices")
            if number % 6 == 0:
                await balancer.call(http, account, "POST", "/v1/invoices", every[number // 6 % len(every)].data)
            await asyncio.sleep(_PAUSE_S)


def _changed_version(folder: Path) -> Path:
    """A copy of this program that writes the next version of the schema."""
    shutil.copytree(ROOT / PACKAGE, folder / PACKAGE, ignore=shutil.ignore_patterns("__pycache__"))
    schema = folder / _SCHEMA
    before = schema.read_text(encoding="utf-8")
    schema.write_text(before.replace("SCHEMA = 1\n", "SCHEMA = 2\n"), encoding="utf-8")
    assert schema.read_text(encoding="utf-8") != before
    return folder


def _stored_version(mongodb: str) -> int:
    with MongoClient[dict[str, int]](mongodb) as client:
        row = client[database_name(mongodb)].upgrades.find_one({"_id": "schema"})
        return 0 if row is None else row["version"]
