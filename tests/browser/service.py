"""The whole service over HTTP in a thread of this process, with people who are signed in; stand-ins read documents."""

import asyncio
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from queue import Queue

import uvicorn

from actors.application import create_application
from serve_app.domain.account import Account, Plan
from serve_app.domain.batch import Section
from serve_app.domain.clock import utc_now
from serve_app.domain.document import Document
from serve_app.domain.ids import new_id
from serve_app.domain.inbound_mail import Decision, Envelope, InboundMail, SenderDecision, Verdict, Way
from serve_app.domain.invoice import Extraction
from serve_app.domain.mail_address import MailAddress
from serve_app.domain.person import Person, Role
from serve_app.domain.reading import Reading
from serve_app.domain.watched_folder import FolderScan, WatchedFolder, folder_id_of
from serve_app.services.ports import DocumentReader, PageTools
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.store.factory import open_files, open_store
from serve_app.wiring.dispatcher import build_dispatcher
from serve_app.wiring.mail_worker import build_mail_worker
from serve_app.wiring.mailroom import build_mailroom
from serve_app.wiring.services import build_services
from serve_app.wiring.webhooks import build_deliverer
from tests.support import Extract, FakeModels, FakeNotifier, FakeReader, FakeReconciler, interpreting
from tests.support.candidates import add_canaries, add_comparison
from tests.support.inbound import add_address
from tests.support.openers import DirectOpener
from tests.support.people import add_member, add_person, make_session
from tests.support.ports import listening_socket
from tests.support.reviews import add_batch, add_checked, add_pile
from tests.support.showcase import add_showcase
from tests.support.showcase_mails import add_showcase_mails

PILE = 12
"""Invoices to decide on."""
START_SECONDS = 300.0
"""The most that a start may take, however busy the machine is."""


@dataclass(frozen=True, slots=True)
class Served:
    """Where the service is, the address of an invoice to look at, and the cookies of people by name: `owner`,
    `reviewer` and `viewer` of a busy account, `newcomer`, who owns an account without invoices, `operator`, who belongs
    to none, `clerk` and `colleague`, who review those of an account that has a pile of them, and `engineer`, who is an
    operator there, `auditor`, who owns an account with checked invoices. `pile` are their addresses, oldest first,
    `cuts` is that of a file with several invoices. `mail_address` and `held_mail` are paths of the busy account."""

    url: str
    invoice: str
    mail_address: str
    held_mail: str
    pile: Sequence[str]
    cuts: str
    cookies: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Pile:
    """Invoices to decide on, the pages of a file that can be cut, and the cookies of those who do."""

    pile: Sequence[str]
    cuts: str
    cookies: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Stage:
    """What reads the documents, by default stand-ins, and `mails` that the busy account has got."""

    reader: Callable[[Files], DocumentReader] = lambda files: FakeReader()
    extract: Extract | None = None
    mails: Sequence[bytes] = ()


def read_by_stand_ins(document: Document, extractor: Reading, verifier: Reading) -> list[Section]:
    """What the stand-ins read in every document."""
    return [Section(1, 1, Extraction(vendor_name="Dropped GmbH", amount=Decimal("12.50"), currency="EUR", pages=1))]


@contextmanager
def served(
    settings: Settings,
    tools: PageTools,
    port: int = 0,
    *,
    reads: bool = True,
    pile: int = PILE,
    stage: Stage | None = None,
) -> Iterator[Served]:
    """Runs until the block is left, on any port or on this one; without `reads`, what waits keeps waiting."""
    started: Queue[tuple[Served, uvicorn.Server] | BaseException] = Queue()
    thread = threading.Thread(
        target=lambda: asyncio.run(_run(settings, tools, port, reads, pile, stage or Stage(), started)), daemon=True
    )
    thread.start()
    found = started.get(timeout=START_SECONDS)
    if isinstance(found, BaseException):
        raise found
    service, server = found
    try:
        yield service
    finally:
        server.should_exit = True
        thread.join(timeout=30)


async def _run(
    settings: Settings,
    tools: PageTools,
    port: int,
    reads: bool,
    pile: int,
    stage: Stage,
    started: "Queue[tuple[Served, uvicorn.Server] | BaseException]",
) -> None:
    try:
        store, files, notifier = open_store(settings, utc_now), open_files(settings), FakeNotifier()
        review = await _populate_review(store, files, pile)
        # Before an invoice of another account waits, which could be claimed in the place of one of these.
        auditor = await _populate_checked(store, files)
        paths, cookies, busy = await _populate(store, files)
        cookies |= {**review.cookies, "auditor": auditor}
        services = build_services(store, files, notifier, tools, FakeModels(), settings, opener=DirectOpener())
        reconciler = FakeReconciler(stage.extract or read_by_stand_ins)
        dispatcher = build_dispatcher(store, files, stage.reader(files), interpreting(reconciler), settings)
        notifier.then = dispatcher.wake
        await _receive(store, files, settings, busy, stage.mails)
        mailroom = build_mail_worker(store, files, DirectOpener(), notifier, settings, mail_policy=_Admission())
        config = uvicorn.Config(create_application(services), log_config=None, lifespan="off", ws="none")
        server, listening = uvicorn.Server(config), listening_socket(port)
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        started.put((Served(url, *paths, review.pile, review.cuts, cookies), server))
        deliverer = build_deliverer(store, settings)
        working = asyncio.gather(
            *([dispatcher.run()] if reads else []), *([mailroom.run()] if stage.mails else []), deliverer.run()
        )
        await server.serve([listening])
        if reads:
            await dispatcher.stop()
        deliverer.stop()
        mailroom.stop()
        await working
        await services.finish()
        await store.connection.close()
    except BaseException as error:
        started.put(error)
        raise


class _Admission:
    """Everybody may write."""

    async def decide(self, raw: bytes, mail: InboundMail, address: MailAddress, text: str) -> SenderDecision:
        return SenderDecision(Decision.ADMIT, Verdict(("example.com",)))


async def _receive(store: Store, files: Files, settings: Settings, account: Account, mails: Sequence[bytes]) -> None:
    address = await add_address(store, account.id)
    reception = build_mailroom(store, files, settings).reception
    for raw in mails:
        await reception.receive(raw, Envelope(f"{address.local}@{settings.mail_domain}", Way.SMTP))


async def _populate_review(store: Store, files: Files, pile: int) -> "Pile":
    now = utc_now()
    account = Account(new_id(), Plan.BUSINESS, now)
    await store.accounts.add(account)
    invoices = await add_pile(store, files, account, now, pile)
    cookies = {}
    for name in ("clerk", "colleague"):
        person = await add_member(store, account, f"{name}@example.com", Role.REVIEWER, now)
        cookies[name] = await _sign_in(store, person, account, now)
    cookies["engineer"] = await _operator(store, account, now)
    batch = await add_batch(store, files, account, now)
    await add_comparison(store, account, batch.id, now)
    await add_canaries(store, now)
    return Pile([f"/app/review/{invoice.id}" for invoice in invoices], f"/app/review/{batch.id}/cut", cookies)


async def _populate_checked(store: Store, files: Files) -> str:
    """The cookie of the owner of an account with checked invoices."""
    now = utc_now()
    account = Account(new_id(), Plan.BUSINESS, now)
    await store.accounts.add(account)
    for number in range(12):
        await add_checked(
            store, files, account, now, round(0.88 + number / 100, 2), "7.00" if number in (3, 8) else None
        )
    return await _sign_in(store, await add_member(store, account, "auditor@example.com", Role.OWNER, now), account, now)


async def _sign_in(store: Store, person: Person, account: Account | None, now: datetime) -> str:
    """The cookie of a person who signs in, which is asked for no other time, however long all tests take."""
    session, cookie = make_session(person, account, now)
    await store.sessions.add(replace(session, authenticated_at=now + timedelta(hours=2)))
    return cookie


async def _populate(store: Store, files: Files) -> tuple[tuple[str, str, str], dict[str, str], Account]:
    now = utc_now()
    busy, new = (Account(new_id(), Plan.BUSINESS, now - timedelta(days=90)) for _ in range(2))
    for account in (busy, new):
        await store.accounts.add(account)
    invoice = await add_showcase(store, files, busy, now)
    await add_comparison(store, busy, invoice.id, now)
    address, held = await add_showcase_mails(store, busy, invoice.id, now)
    people = {"owner": (busy, Role.OWNER), "reviewer": (busy, Role.REVIEWER), "viewer": (busy, Role.VIEWER)}
    people["newcomer"] = (new, Role.OWNER)
    cookies = {}
    for name, (account, role) in people.items():
        person = await add_member(store, account, f"{name}@example.com", role, now)
        cookies[name] = await _sign_in(store, person, account, now)
    cookies["operator"] = await _operator(store, None, now)
    await _add_folders(store, busy, now)
    return (f"/app/invoices/{invoice.id}", f"/app/mail/addresses/{address}", f"/app/mail/{held}"), cookies, busy


async def _add_folders(store: Store, account: Account, now: datetime) -> None:
    """Watched folders: one that works, one with a problem, one that is paused."""
    places = ("/srv/scans/berlin", "s3://bucket/in", "sftp://scanner@files.example.com:22/in")
    works, fails, paused = (WatchedFolder(folder_id_of(place), account.id, place, now) for place in places)
    for folder in (works, fails, paused):
        await store.watched_folders.add(folder)
    await store.watched_folders.record_scan(works, FolderScan(now, waiting=1200, done=34_567, failed=8))
    await store.watched_folders.record_scan(fails, FolderScan(now, "s3://bucket/in: PutObject: AccessDenied."))
    await store.watched_folders.set_paused(account.id, paused.id, True)


async def _operator(store: Store, account: Account | None, now: datetime) -> str:
    """The cookie of an operator, who is a reviewer of the account if there is one."""
    mail = "operator@example.com" if account is None else "engineer@example.com"
    # Known already where a test starts the service once more.
    person = await store.people.find(mail) or await add_person(store, mail, is_operator=True)
    if account is not None:
        await add_member(store, account, mail, Role.REVIEWER, now)
    return await _sign_in(store, person, account, now)
