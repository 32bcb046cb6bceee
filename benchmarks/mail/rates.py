"""Mails a second into the row, beside a bare aiosmtpd that writes each into a file; and what a large mail costs small
ones."""

import asyncio
import os
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiosmtplib
from aiosmtpd.smtp import SMTP

from benchmarks.mail.stepping import settings_in
from serve_app.domain.account import Account, Plan
from serve_app.domain.clock import utc_now
from serve_app.domain.ids import new_id
from serve_app.domain.inbound_mail import Way
from serve_app.mail.listener.server import Place
from serve_app.store.factory import open_files, open_store
from serve_app.wiring.mail_listener import build_mail_listener
from serve_app.wiring.mailroom import build_addresses, build_mailroom
from tests.support.mail_corpus import with_file

CLIENTS = 8
SIZES = (10_000, 100_000, 1_000_000)
_LARGE = 20_000_000
_SMALL_MAILS = 100
_LARGE_MAILS = 5


class Bare:
    """Writes each mail to a file and to the disk before it answers."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._written = 0

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        self._written += 1
        path = self._folder / f"{self._written}.eml"
        with path.open("wb") as file:
            file.write(envelope.content)
            file.flush()
            os.fsync(file.fileno())
        return "250 OK"


@dataclass(frozen=True, slots=True)
class Servers:
    """The ports of both, and an address that ours takes mail for."""

    bare: int
    ours: int
    to: str

    def items(self) -> tuple[tuple[str, int], ...]:
        return ("bare aiosmtpd", self.bare), ("ours", self.ours)


@asynccontextmanager
async def _servers() -> AsyncIterator[Servers]:
    with tempfile.TemporaryDirectory(prefix="rates-") as name:
        folder = Path(name)
        settings = settings_in(folder)
        store, files = open_store(settings), open_files(settings)
        account = Account(new_id(), Plan.UNLIMITED, utc_now())
        await store.accounts.add(account)
        address = await build_addresses(store, settings).first(account.id)
        listener = build_mail_listener(build_mailroom(store, files, settings).reception, settings)
        (ours,) = await listener.start([Place(Way.SMTP, "127.0.0.1", 0)])
        yield Servers(await _bare(folder), ours, f"{address.local}@localhost")
        await listener.close()
        await store.connection.close()


async def run(mails: int, seed: int) -> bool:
    async with _servers() as servers:
        for size in SIZES:
            count = max(50, mails * SIZES[0] // size)
            rates = {name: await _rate(port, servers.to, size, count) for name, port in servers.items()}
            share = rates["ours"] / rates["bare aiosmtpd"]
            print(f"{size:>9} bytes, {count} mails, {CLIENTS} connections: ", end="")
            print(", ".join(f"{name} {rate:.0f}/s" for name, rate in rates.items()) + f" ({share:.0%})")
    return await run_beside(mails, seed)


async def run_beside(mails: int, seed: int) -> bool:
    """What large mails cost small ones, by both servers in turn."""
    alone, beside = defaultdict[str, list[float]](list), defaultdict[str, list[float]](list)
    async with _servers() as servers:
        for _ in range(_LARGE_MAILS):
            for name, port in servers.items():
                await _beside_a_large_one(port, servers.to, alone[name], beside[name])
    for name in alone:
        print(f"{name}: a small mail takes {_described(alone[name])}, beside one of 20 MB {_described(beside[name])}")
    return True


def _described(seconds: list[float]) -> str:
    cuts = statistics.quantiles(seconds, n=100)
    return (
        f"{cuts[49] * 1000:.0f} ms (95 % within {cuts[94] * 1000:.0f}, at most {max(seconds) * 1000:.0f};"
        f" {len(seconds)} mails)"
    )


async def _bare(folder: Path) -> int:
    handler = Bare(folder)
    server = await asyncio.get_running_loop().create_server(
        lambda: SMTP(handler, hostname="bare", data_size_limit=50_000_000), "127.0.0.1", 0
    )
    return int(server.sockets[0].getsockname()[1])


def _mail(size: int, number: int) -> bytes:
    return with_file(os.urandom(size * 3 // 4), "application/octet-stream", f"{number}.bin")


async def _rate(port: int, to: str, size: int, count: int) -> float:
    made = iter([_mail(size, number) for number in range(count)])

    async def send() -> None:
        client = await _client(port)
        for raw in made:
            await client.sendmail("anna@example.com", [to], raw)
        await client.quit()

    started = time.monotonic()
    await asyncio.gather(*(send() for _ in range(CLIENTS)))
    return count / (time.monotonic() - started)


async def _client(port: int) -> aiosmtplib.SMTP:
    client = aiosmtplib.SMTP(hostname="127.0.0.1", port=port, start_tls=False, timeout=120)
    await client.connect()
    return client


async def _beside_a_large_one(port: int, to: str, alone: list[float], beside: list[float]) -> None:
    """How long small mails take while a large one comes in, from a process of its own: only the server is shared."""
    client = await _client(port)
    alone += [await _timed(lambda: client.sendmail("a@b.example", [to], _mail(5_000, 0))) for _ in range(_SMALL_MAILS)]
    large = Path(tempfile.mkdtemp()) / "large.eml"
    large.write_bytes(_mail(_LARGE, 0))
    sending = await asyncio.create_subprocess_exec(
        "python3", "-c", _SEND_LARGE, str(port), to, str(large), stdout=asyncio.subprocess.DEVNULL
    )
    while sending.returncode is None:
        beside.append(await _timed(lambda: client.sendmail("a@b.example", [to], _mail(5_000, 1))))
        await asyncio.sleep(0.001)
    await client.quit()
    large.unlink()


_SEND_LARGE = """
import smtplib, sys
with smtplib.SMTP("127.0.0.1", int(sys.argv[1])) as client:
    client.sendmail("a@b.example", [sys.argv[2]], open(sys.argv[3], "rb").read())
"""


async def _timed(call: Callable[[], Awaitable[object]]) -> float:
    started = time.monotonic()
    await call()
    return time.monotonic() - started
