"""A mailroom on a fresh store."""

from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from uuid import UUID

import pytest

from serve_app.documents.mail.open import open_mail
from serve_app.documents.mail.opened import OpenedMail, OpenRules
from serve_app.domain.account import Account
from serve_app.domain.budget import Prices
from serve_app.domain.ids import new_id
from serve_app.domain.inbound_mail import Decision, Envelope, InboundMail, SenderDecision, Verdict, Way
from serve_app.domain.invoice import Extraction, Failure, Invoice, Source
from serve_app.domain.mail_address import MailAddress
from serve_app.domain.query import InvoiceQuery
from serve_app.mail.answer import ComposeAnswer
from serve_app.mail.sender import parse_sender
from serve_app.services.accounts.monthly_limits import MonthlyLimits
from serve_app.services.accounts.usage import UsageService
from serve_app.services.intake.submit import DocumentIntake, Upload
from serve_app.services.mailroom.answers import MailAnswers
from serve_app.services.mailroom.documents import MailedDocuments
from serve_app.services.mailroom.mails import MailService
from serve_app.services.mailroom.reception import Reception, ReceptionLimits
from serve_app.services.mailroom.run import MailRun
from serve_app.services.tasks.wake import Wake
from serve_app.store.base import Files, Store
from tests.support import LEASE, Clock, FakeNotifier
from tests.support.inbound import ABANDONED_AFTER, MANY, add_address
from tests.support.mails import FakeMailer

OURS = "invoices@example.com"
RAW_LIFE = timedelta(days=30)
PAGE = Decimal("0.10")
"""Price of a page."""


@pytest.fixture
async def address(store: Store, account: Account) -> MailAddress:
    return await add_address(store, account.id)


@pytest.fixture
def reception(store: Store, files: Files, clock: Clock) -> Reception:
    return Reception(
        store.mail_addresses, store.mails, files, ReceptionLimits(10_000_000, MANY, ABANDONED_AFTER), OURS, clock
    )


@pytest.fixture
def mails(store: Store, files: Files, clock: Clock) -> MailService:
    return MailService(store.mails, files, clock)


@pytest.fixture
def envelope(address: MailAddress) -> Envelope:
    return Envelope(f"{address.local}@in.example.com", Way.SMTP, "anna@example.com", "192.0.2.1", "mx.example.com")


@dataclass
class DirectOpener:
    """Takes mails apart in this process; `error` is raised instead."""

    error: Exception | None = None
    calls: int = 0

    async def open(self, raw: bytes, rules: OpenRules) -> OpenedMail:
        self.calls += 1
        if self.error is not None:
            raise self.error
        return open_mail(raw, rules)


@dataclass
class Gate:
    """Decides on every mail the same."""

    sender: SenderDecision = field(default_factory=lambda: SenderDecision(Decision.ADMIT, Verdict(("example.com",))))
    calls: int = 0

    async def decide(self, raw: bytes, mail: InboundMail, address: MailAddress, text: str) -> SenderDecision:
        self.calls += 1
        return self.sender


@pytest.fixture
def opener() -> DirectOpener:
    return DirectOpener()


@pytest.fixture
def gate() -> Gate:
    return Gate()


@pytest.fixture
def outbox() -> FakeMailer:
    return FakeMailer()


@dataclass
class Scene:
    """Everything about mails of one account."""

    store: Store
    files: Files
    account: Account
    address: MailAddress
    reception: Reception
    envelope: Envelope
    run: MailRun
    intake: DocumentIntake
    clock: Clock

    async def submit(self, data: bytes, source: Source) -> Invoice:
        """A document that came another way."""
        return await self.intake.submit(self.account, Upload(data, "bill.pdf", source), new_id())

    async def receive(self, raw: bytes) -> UUID:
        return (await self.reception.receive(raw, self.envelope)).mail_id

    async def work(self) -> None:
        """Everything that is due now."""
        while (claim := await self.store.mails.claim_due(LEASE)) is not None:
            await self.run.run(claim)

    async def received(self, raw: bytes) -> InboundMail:
        """A mail that was received and taken apart."""
        mail_id = await self.receive(raw)
        await self.work()
        return await self.mail(mail_id)

    async def mail(self, mail_id: UUID) -> InboundMail:
        mail = await self.store.mails.get(self.account.id, mail_id)
        assert mail is not None
        return mail

    async def invoices(self) -> list[Invoice]:
        """Oldest first."""
        page = await self.store.invoices.page(self.account.id, InvoiceQuery(), 100)
        return list(reversed(page.items))

    async def finish(self, failure: Failure | None = None) -> None:
        """All invoices that wait, and then the mails that wait for them."""
        while (claim := await self.store.queue.claim_due_invoice(LEASE)) is not None:
            if failure is None:
                await self.store.queue.save_result(claim, Extraction(), self.clock())
            else:
                await self.store.queue.fail(claim, failure, self.clock())
        while (await self.store.outbox.spread_pending(100)).invoices:
            pass
        self.clock.advance(60)
        await self.work()


@pytest.fixture
def scene(
    store: Store,
    files: Files,
    account: Account,
    address: MailAddress,
    reception: Reception,
    envelope: Envelope,
    opener: DirectOpener,
    gate: Gate,
    outbox: FakeMailer,
    clock: Clock,
) -> Scene:
    limits = MonthlyLimits(UsageService(store.quotas, Prices(page=PAGE), clock))
    intake = DocumentIntake(store.intake, limits, files, Wake(FakeNotifier()), 10_000_000, clock)
    documents = MailedDocuments(intake, store.invoices, store.mail_documents, store.mail_pictures)
    compose = ComposeAnswer(parse_sender(OURS))
    answers = MailAnswers(
        store.automatic_mails, store.memberships, store.mails, store.invoices, outbox, compose, OURS, clock
    )
    run = MailRun(
        store,
        files,
        limits,
        opener,
        gate,
        documents,
        answers,
        10_000_000,
        clock,
    )
    return Scene(store, files, account, address, reception, envelope, run, intake, clock)
