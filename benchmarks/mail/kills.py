"""Mails through two processes that are killed between any two steps and started again: none is lost or doubled."""

import asyncio
import multiprocessing
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import cycle
from pathlib import Path

import aiosmtplib

from benchmarks.mail.stepping import settings_in, work
from serve_app.domain.account import Account, Plan
from serve_app.domain.clock import month_start, utc_now
from serve_app.domain.ids import new_id
from serve_app.domain.inbound_mail import MAILS, MailQuery, MailState, Outcome
from serve_app.domain.invoice import Source
from serve_app.domain.query import InvoiceQuery
from serve_app.store.base import Files, Store
from serve_app.store.factory import open_files, open_store
from serve_app.wiring.mailroom import build_addresses
from tests.support.mail_corpus import mail, pdf
from tests.support.ports import free_port

REPLICAS = 2
SENDERS = 4
TIMEOUT_SECONDS = 480.0
_SEEDS_APART = 100_000
# Forks of a process that has imported everything, so that a start takes no seconds.
_FORKS = multiprocessing.get_context("forkserver")
_PER_MAIL = 2


async def run(mails: int, seed: int) -> bool:
    with tempfile.TemporaryDirectory(prefix="kills-") as folder:
        return await _run(Path(folder), mails, seed)


async def _run(folder: Path, mails: int, seed: int) -> bool:
    settings = settings_in(folder)
    store, files = open_store(settings), open_files(settings)
    account = Account(new_id(), Plan.UNLIMITED, utc_now())
    await store.accounts.add(account)
    address = await build_addresses(store, settings).first(account.id)
    ports, over = [free_port() for _ in range(REPLICAS)], asyncio.Event()
    _FORKS.set_forkserver_preload(["benchmarks.mail.stepping"])
    keepers = [
        asyncio.create_task(asyncio.to_thread(_keep_alive, folder, port, seed + number * _SEEDS_APART, over))
        for number, port in enumerate(ports)
    ]
    started = time.monotonic()
    numbers = iter(range(mails))
    accepted: Counter[str] = Counter()
    await asyncio.gather(*(_send_all(numbers, ports, address.local, accepted) for _ in range(SENDERS)))
    sent_at = time.monotonic()
    is_settled = await _settled(store, account, mails)
    over.set()
    starts = sum(await asyncio.gather(*keepers))
    wrong = await _wrong(store, files, account, mails, accepted)
    deaths = Counter((folder / "deaths").read_text().splitlines()) if (folder / "deaths").exists() else Counter()
    await store.connection.close()
    print(f"{mails} mails with {_PER_MAIL} documents each (seed {seed}) to {REPLICAS} replicas, sent in", end=" ")
    print(f"{sent_at - started:.0f} s, all done after {time.monotonic() - started:.0f} s;", end=" ")
    print(f"killed {deaths.total()} times, started {starts} times:")
    for where, count in sorted(deaths.items()):
        print(f"  {count:4} {where}")
    print("wrong: " + (", ".join(wrong) or "nothing"))
    return is_settled and not wrong


def _keep_alive(folder: Path, port: int, seed: int, over: asyncio.Event) -> int:
    """Start the process as often as it dies; returns how often."""
    starts = 0
    while not over.is_set():
        process = _FORKS.Process(target=work, args=(folder, port, seed + starts), daemon=True)
        process.start()
        starts += 1
        while process.is_alive() and not over.is_set():
            process.join(0.05)
        process.kill()
        process.join()
    return starts


async def _send_all(numbers: Iterator[int], ports: Sequence[int], local: str, accepted: Counter[str]) -> None:
    for number in numbers:
        message = mail(f"Mail {number}", text=f"Number {number}")
        message.replace_header("Message-ID", f"<{number}@example.com>")
        for part in range(_PER_MAIL):
            data = pdf() + f"\n% {number} {part}\n".encode()
            message.add_attachment(data, maintype="application", subtype="pdf", filename=f"{number}-{part}.pdf")
        accepted[await _send(message.as_bytes(), ports, local)] += 1


async def _send(raw: bytes, ports: Sequence[int], local: str) -> str:
    """As a mail server does: until it is accepted, by one of the replicas or the other."""
    end = time.monotonic() + TIMEOUT_SECONDS
    for port in cycle(random.sample(ports, len(ports))):
        if time.monotonic() > end:
            break
        with suppress(aiosmtplib.SMTPException, OSError):
            client = aiosmtplib.SMTP(hostname="127.0.0.1", port=port, start_tls=False, timeout=5)
            async with client:
                return (await client.sendmail("anna@example.com", [f"{local}@localhost"], raw))[1]
        await asyncio.sleep(0.1)
    return "never accepted"


async def _settled(store: Store, account: Account, mails: int) -> bool:
    """Waits until every mail has its invoices."""
    end = time.monotonic() + TIMEOUT_SECONDS
    while time.monotonic() < end:
        page = await store.mails.page(account.id, MailQuery(state=MailState.READING), mails + 1)
        waiting = await store.mails.of_account(account.id, 10 * mails)
        if len(page.items) == mails == len(waiting):
            return True
        await asyncio.sleep(0.5)
    return False


async def _wrong(store: Store, files: Files, account: Account, mails: int, accepted: Counter[str]) -> list[str]:
    found = (await store.mails.page(account.id, MailQuery(), 10 * mails)).items
    invoices = (await store.invoices.page(account.id, InvoiceQuery(), 10 * mails)).items
    linked = [part.invoice_id for each in found for part in each.parts if part.outcome is Outcome.INVOICE]
    kept = await files.keys_in(MAILS)
    checks = {
        f"{len(found)} mails": len(found) == mails,
        f"{len(accepted)} different answers": len(accepted) == mails,
        f"{len(invoices)} invoices": len(invoices) == _PER_MAIL * mails,
        "invoices of other sources": all(invoice.source is Source.EMAIL for invoice in invoices),
        "invoices without a mail": {invoice.id for invoice in invoices} == set(linked),
        "the same invoice twice": len(set(linked)) == len(linked) == _PER_MAIL * mails,
        f"{len(kept)} files of mails": len(kept) == mails,
        f"{len({invoice.file.name for invoice in invoices if invoice.file})} names": len(
            {invoice.file.name for invoice in invoices if invoice.file}
        )
        == _PER_MAIL * mails,
        "units of the quota": await store.quotas.used(account.id, month_start(utc_now())) == _PER_MAIL * mails,
    }
    return [name for name, is_right in checks.items() if not is_right]
