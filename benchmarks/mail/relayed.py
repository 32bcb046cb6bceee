"""Mails through a real Postfix to finished invoices and their webhooks: by SMTP and LMTP to the service, and by SMTP to
a second process that takes mail. Needs Debian's postfix, and root."""

import asyncio
import os
import shutil
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.faults.mail_listener import MailListener
from benchmarks.faults.mails import Mail, mails
from benchmarks.faults.processes import adopt_orphans, kill_everything_below
from benchmarks.faults.service import Service, free_port
from benchmarks.faults.verifying_receiver import Receiver, receiving
from benchmarks.mail.postfix import DOMAIN, postfix, refusal, send
from benchmarks.webhooks.site import SECRET
from serve_app.domain.account import Account, Plan
from serve_app.domain.clock import utc_now
from serve_app.domain.ids import new_id
from serve_app.domain.inbound_mail import InboundMail, MailQuery, MailState
from serve_app.domain.query import EventQuery, InvoiceQuery
from serve_app.domain.webhook import EndpointSecret, WebhookEndpoint
from serve_app.keys.sealing import Sealer
from serve_app.store.base import Store
from serve_app.store.factory import open_store
from serve_app.wiring.mailroom import build_addresses

TIMEOUT_S = 300.0


async def run(count: int, seed: int) -> bool:
    if os.geteuid() != 0 or shutil.which("postfix") is None:
        print("skipped: this needs root and Debian's postfix")
        return True
    adopt_orphans()
    # Readable by Postfix's user; a short name, because Ray puts sockets below it.
    folder = tempfile.mkdtemp(prefix="postfix-")
    os.chmod(folder, 0o755)  # noqa: S103
    try:
        async with asyncio.timeout(2 * TIMEOUT_S):
            return await _run(Path(folder), count, seed)
    finally:
        kill_everything_below()
        shutil.rmtree(folder, ignore_errors=True)


async def _run(folder: Path, count: int, seed: int) -> bool:
    smtp, lmtp = free_port(), free_port()
    taking = {"MAIL_SMTP": f"127.0.0.1:{smtp}", "MAIL_LMTP": f"127.0.0.1:{lmtp}", "MAIL_DOMAIN": DOMAIN}
    service = Service(folder, extra={**taking, "WEBHOOK_NETWORKS": "127.0.0.0/8"})
    store = open_store(service.settings())
    with receiving(SECRET) as receiver:
        account = await _account(store, service, receiver)
        second = MailListener(service)
        addresses = build_addresses(store, service.settings())
        locals_ = [(await addresses.create(account.id, prefix)).local for prefix in ("one", "two", "three")]
        places = f"smtp:[127.0.0.1]:{smtp}", f"lmtp:inet:127.0.0.1:{lmtp}", f"smtp:[127.0.0.1]:{second.port}"
        ways = dict(zip(locals_, places, strict=True))
        await asyncio.to_thread(service.start)
        keeping = asyncio.create_task(second.keep_alive())
        async with postfix(folder, ways) as port:
            began = time.monotonic()
            every = mails(count, seed)
            answer = await refusal(port)
            for number, mail in enumerate(every):
                await send(port, mail.raw, locals_[number % len(locals_)])
            wrong = await _wrong(store, account, receiver, every)
            seconds = time.monotonic() - began
        keeping.cancel()
        second.stop()
        await asyncio.to_thread(service.stop)
    await store.connection.close()
    print(
        f"{count} mails with {sum(len(mail.names) for mail in every)} invoices (seed {seed}) through Postfix:", end=" "
    )
    print(f"finished, with all webhooks, after {seconds:.0f} s; an unknown address: {answer}")
    print("wrong: " + (", ".join(wrong) or "nothing"))
    return not wrong and answer == "550"


async def _account(store: Store, service: Service, receiver: Receiver) -> Account:
    account = Account(new_id(), Plan.UNLIMITED, utc_now())
    await store.accounts.add(account)
    key = service.settings().encryption_key
    assert key is not None
    secret = EndpointSecret(Sealer([key.get_secret_value()]).seal(SECRET))
    endpoint = WebhookEndpoint(new_id(), account.id, f"{receiver.url}/hook", (), (secret,), utc_now())
    await store.endpoints.add(endpoint, at_most=1)
    return account


async def _wrong(store: Store, account: Account, receiver: Receiver, every: list[Mail]) -> list[str]:
    """What is missing when everything has arrived, or the time is over."""
    end = time.monotonic() + TIMEOUT_S
    # The service is watched from outside.
    while (wrong := await _missing(store, account, receiver, every)) and time.monotonic() < end:  # noqa: ASYNC110
        await asyncio.sleep(1)
    return wrong


async def _missing(store: Store, account: Account, receiver: Receiver, every: list[Mail]) -> list[str]:
    found = (await store.mails.page(account.id, MailQuery(), 1000)).items
    invoices = (await store.invoices.page(account.id, InvoiceQuery(), 1000)).items
    events = (await store.events.page(account.id, EventQuery(), 1000)).items
    posts = await asyncio.to_thread(receiver.posts)
    delivered = {post.event_id for post in posts if post.status == 200 and post.is_signed}
    checks = {
        f"{len(found)} mails": len(found) == len(every),
        "mails that are not done": all(mail.state is MailState.DONE for mail in found),
        f"mails by {sorted(_ways(found))}": _ways(found) == {"smtp", "lmtp"},
        "other invoices": sorted(invoice.file.name or "" for invoice in invoices if invoice.batch is None
                                 or invoice.batch.index == 1) == sorted(name for mail in every for name in mail.names),
        "invoices that are not complete": all(invoice.status == "complete" for invoice in invoices),
        f"{len(events)} events": len(events) == len(invoices),
        "events without a webhook": delivered == {event.id for event in events},
        "posts that are not signed": all(post.is_signed for post in posts),
    }  # fmt: skip
    return [name for name, is_right in checks.items() if not is_right]


def _ways(found: Sequence[InboundMail]) -> set[str]:
    return {str(mail.envelope.way) for mail in found}
