"""Mails a second that one worker takes apart, with its real processes, and how long the mail of one account waits
behind those of another."""

import asyncio
import tempfile
import time
from pathlib import Path
from uuid import UUID

from benchmarks.mail.stepping import Nobody, settings_in
from serve_app.documents.isolation.mail_opener import IsolatedOpener
from serve_app.domain.account import Account, Plan
from serve_app.domain.clock import utc_now
from serve_app.domain.ids import new_id
from serve_app.domain.inbound_mail import Envelope, MailQuery, MailState, Way
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.store.factory import open_files, open_store
from serve_app.wiring.mail_worker import build_mail_worker
from serve_app.wiring.mailroom import build_addresses, build_mailroom
from tests.support.mail_corpus import mail, pdf

_TIMEOUT_SECONDS = 900.0


async def run(mails: int, seed: int) -> bool:
    with tempfile.TemporaryDirectory(prefix="turns-") as folder:
        settings = settings_in(Path(folder))
        store, files = open_store(settings), open_files(settings)
        many, few = await _account(store), await _account(store)
        await _send(store, files, settings, many, mails)
        await _send(store, files, settings, few, 1)
        opener = _opener(settings)
        worker = build_mail_worker(store, files, opener, Nobody(), settings)
        started = time.monotonic()
        working = asyncio.create_task(worker.run())
        alone = await _until_opened(store, few, 1) - started
        all_of_them = await _until_opened(store, many, mails) - started
        worker.stop()
        await working
        await asyncio.to_thread(opener.close)
        await store.connection.close()
    print(f"{mails} mails of one account in {all_of_them:.1f} s, {mails / all_of_them:.1f} a second;", end=" ")
    print(f"the one mail of another after {alone:.1f} s")
    return alone < all_of_them / 2


def _opener(settings: Settings) -> IsolatedOpener:
    """As the mailroom has it."""
    from actors.mailroom import OPENERS

    return IsolatedOpener(settings.read_options(), processes=OPENERS)


async def _account(store: Store) -> Account:
    account = Account(new_id(), Plan.UNLIMITED, utc_now())
    await store.accounts.add(account)
    return account


async def _send(store: Store, files: Files, settings: Settings, account: Account, count: int) -> None:
    address = await build_addresses(store, settings).first(account.id)
    reception = build_mailroom(store, files, settings).reception
    for number in range(count):
        await reception.receive(_mail(account.id, number), Envelope(address.local, Way.SMTP, "anna@example.com"))


def _mail(account_id: UUID, number: int) -> bytes:
    message = mail(f"Mail {number}", text=f"Number {number}")
    message.replace_header("Message-ID", f"<{number}.{account_id}@example.com>")
    data = pdf() + f"\n% {number}\n".encode()
    message.add_attachment(data, maintype="application", subtype="pdf", filename=f"{number}.pdf")
    return message.as_bytes()


async def _until_opened(store: Store, account: Account, count: int) -> float:
    """When all mails have become invoices, which nobody reads here."""
    end = time.monotonic() + _TIMEOUT_SECONDS
    while time.monotonic() < end:
        page = await store.mails.page(account.id, MailQuery(state=MailState.READING), count + 1)
        if len(page.items) >= count:
            break
        await asyncio.sleep(0.1)
    return time.monotonic()
