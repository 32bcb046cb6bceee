"""One run: clients send, everything is killed in turn, then the data is checked."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

from benchmarks.faults.accounts import make_accounts
from benchmarks.faults.audit import audit
from benchmarks.faults.clients import Account, Client
from benchmarks.faults.documents import Document, documents
from benchmarks.faults.killer import Killer
from benchmarks.faults.ledger import Ledger, Outcome
from benchmarks.faults.lines import Line
from benchmarks.faults.mail_listener import MailListener
from benchmarks.faults.mails import MailSender, mails
from benchmarks.faults.mongo_contents import MongoContents, create_collections
from benchmarks.faults.service import Service
from benchmarks.faults.settled import wait_until_settled
from benchmarks.faults.site_of_files import FileSite, file_site
from benchmarks.faults.store_contents import StoreContents
from serve_app.store.factory import open_store
from serve_app.wiring.mailroom import build_addresses

# Beyond it the run is broken off: something hangs.
DEADLINE_S = 1200.0
_SENDERS = 2


@dataclass(frozen=True, slots=True)
class Storm:
    """What a run is made of; `pause_s` is a client's mean pause between two documents or mails. `mongodb` is the URL of
    a new database, or None for SQLite."""

    documents: int
    mails: int
    clients: int
    seed: int
    pause_s: float = 4.0
    mongodb: str | None = None


@dataclass(frozen=True, slots=True)
class StormResult:
    """What came of it."""

    storm: Storm
    ledger: Ledger
    lines: list[Line]
    seconds: float
    ready_s: float


async def run_storm(storm: Storm, folder: Path) -> StormResult:
    """The run in `folder`. TimeoutError where it does not end in bounded time, NotReady where the service does not
    start; processes may then be left to the caller."""
    began = time.monotonic()
    ledger = Ledger()
    async with asyncio.timeout(DEADLINE_S), file_site(folder) as files:
        trust = {"SSL_CERT_FILE": str(files.certificate), "FILE_URL_NETWORKS": "127.0.0.0/8,::1/128"}
        service = Service(folder, extra=trust, mongodb=storm.mongodb)
        if storm.mongodb:
            create_collections(storm.mongodb)
        accounts = await make_accounts(service.settings(), storm.clients)
        address = await _private_address(service, accounts[0])
        ready_s = await asyncio.to_thread(service.start)
        async with _taking_mail(service) as listener:
            await _send_and_kill(storm, service, accounts, ledger, files, Post(listener, address))
        await wait_until_settled(service)
        ledger.left_behind += await asyncio.to_thread(service.stop)
    contents = await asyncio.to_thread(_contents, service)
    return StormResult(storm, ledger, audit(ledger, contents), time.monotonic() - began, ready_s)


def _contents(service: Service) -> StoreContents:
    return MongoContents(service.mongodb) if service.mongodb else StoreContents(service.database, service.files)


@dataclass(frozen=True, slots=True)
class Post:
    """Where mails go."""

    listener: MailListener
    address: str


async def _private_address(service: Service, account: Account) -> str:
    store = open_store(service.settings())
    try:
        addresses = build_addresses(store, service.settings())
        return addresses.written(await addresses.first(account.id))
    finally:
        await store.connection.close()


@asynccontextmanager
async def _taking_mail(service: Service) -> AsyncIterator[MailListener]:
    listener = MailListener(service)
    keeping = asyncio.create_task(listener.keep_alive())
    try:
        yield listener
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
        await asyncio.to_thread(listener.stop)


async def _send_and_kill(
    storm: Storm, service: Service, accounts: list[Account], ledger: Ledger, files: FileSite, post: Post
) -> None:
    def accepted_share() -> float:
        return len(ledger.of(Outcome.ACCEPTED)) / max(1, storm.documents)

    killer = Killer(service, ledger, storm.seed, accepted_share, post.listener)
    async with asyncio.TaskGroup() as group:
        group.create_task(killer.run())
        await asyncio.gather(_send(storm, service, accounts, ledger, files), _mail(storm, post, ledger))
        killer.stop()


async def _mail(storm: Storm, post: Post, ledger: Ledger) -> None:
    every = mails(storm.mails, storm.seed)
    sender = MailSender(post.listener.port, post.address, ledger, storm.pause_s)
    await asyncio.gather(*(sender.send_all(every[number::_SENDERS]) for number in range(_SENDERS)))


async def _send(storm: Storm, service: Service, accounts: list[Account], ledger: Ledger, files: FileSite) -> None:
    shares = _dealt(documents(storm.documents, storm.seed), len(accounts), storm.seed)
    clients = [Client(service.url, account, ledger, storm.seed, storm.pause_s, files) for account in accounts]
    async with asyncio.TaskGroup() as group:
        for client, share in zip(clients, shares, strict=True):
            group.create_task(client.send_all(share))
    for client in clients:
        await client.close()


def _dealt(every: list[Document], hands: int, seed: int) -> list[list[Document]]:
    Random(seed).shuffle(every)  # noqa: S311 - variety, not secrecy
    return [every[number::hands] for number in range(hands)]
