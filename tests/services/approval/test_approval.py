"""Approval is asked for by mail and answered once, by whoever holds the newest link."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from email.headerregistry import Address
from email.message import EmailMessage
from urllib.parse import urlsplit

import pytest

from serve_app.domain.account import Account
from serve_app.domain.approval_mail import MailLimits
from serve_app.domain.errors import InvoiceNotFound, MailNotSent, NotComplete, ServiceError, StoreUnreachable
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import ApprovalStatus, Invoice
from serve_app.mail.approval import ComposeApproval
from serve_app.services.approval.facts import ApprovalFacts, Fact
from serve_app.services.approval.links import ApprovalLinkError, LinkProblem
from serve_app.services.approval.mail_allowance import MailAllowance
from serve_app.services.approval.service import ApprovalService
from serve_app.store.base import Store
from tests.support import MONTH, Clock, claim_next, queue_new
from tests.support.mails import READ, FakeMailer, complete_invoice, links_in, text_of, token_in

KEY = "a secret of tests, long enough for the purpose"
BASE = "https://invoices.example/"
DAY = 24 * 3600
COMPOSE = ComposeApproval(Address("Invoices", addr_spec="invoices@example.com"))


@pytest.fixture
def mailer() -> FakeMailer:
    return FakeMailer()


def allowance(store: Store, clock: Clock, per_account: int = 200, per_recipient: int = 50) -> MailAllowance:
    return MailAllowance(store.approval_mails, MailLimits(per_account, per_recipient), clock)


@pytest.fixture
def approvals(store: Store, mailer: FakeMailer, clock: Clock) -> ApprovalService:
    return ApprovalService(store.invoices, allowance(store, clock), mailer, COMPOSE, KEY, clock)


@pytest.fixture
async def invoice(store: Store, account: Account) -> Invoice:
    return await complete_invoice(store, account.id)


@pytest.fixture
async def mail(approvals: ApprovalService, mailer: FakeMailer, account: Account, invoice: Invoice) -> EmailMessage:
    """The mail of a request for the invoice."""
    await approvals.request(account.id, invoice.id, "boss@example.com", "The till", BASE)
    return mailer.messages[-1]


async def answered(approvals: ApprovalService, token: str, *, approved: bool = True) -> Invoice:
    """What a person does: look, then press a button."""
    seen = ApprovalFacts.of(await approvals.look(token)).fingerprint
    return await approvals.answer(token, approved=approved, seen=seen)


async def problem_of(approvals: ApprovalService, token: str) -> LinkProblem:
    """Why neither looking nor answering works."""
    with pytest.raises(ApprovalLinkError) as looking:
        await approvals.look(token)
    with pytest.raises(ApprovalLinkError) as answering:
        await approvals.answer(token, approved=True, seen="")
    assert looking.value.problem is answering.value.problem
    return looking.value.problem


async def test_a_request_is_recorded_and_its_mail_leads_to_it(
    approvals: ApprovalService, store: Store, mail: EmailMessage, account: Account, invoice: Invoice
) -> None:
    kept = await store.invoices.get(account.id, invoice.id)
    assert kept is not None
    assert (kept.approval_status, kept.approval_email) == (ApprovalStatus.REQUESTED, "boss@example.com")
    assert mail["To"] == "boss@example.com"
    approve, reject = (urlsplit(link) for link in links_in(mail))
    assert approve.path == reject.path == f"/approvals/{token_in(mail)}"
    assert (approve.netloc, approve.query, reject.query) == ("invoices.example", "answer=approve", "answer=reject")
    assert (await approvals.look(token_in(mail))).id == invoice.id


@pytest.mark.parametrize(("approved", "status"), [(True, ApprovalStatus.APPROVED), (False, ApprovalStatus.REJECTED)])
async def test_the_answer_sets_the_status(
    approvals: ApprovalService,
    store: Store,
    mail: EmailMessage,
    account: Account,
    approved: bool,
    status: ApprovalStatus,
) -> None:
    answer = await answered(approvals, token_in(mail), approved=approved)
    assert answer.approval_status is status
    assert await store.invoices.get(account.id, answer.id) == answer


async def test_of_many_answers_at_once_one_counts(
    open_again: Callable[[], Store], clock: Clock, mail: EmailMessage, account: Account, store: Store
) -> None:
    processes = [
        ApprovalService(open_again().invoices, allowance(store, clock), FakeMailer(), COMPOSE, KEY, clock)
        for _ in range(2)
    ]
    token = token_in(mail)
    seen = ApprovalFacts.of(await processes[0].look(token)).fingerprint
    results = await asyncio.gather(
        *(processes[i % 2].answer(token, approved=i % 3 == 0, seen=seen) for i in range(20)), return_exceptions=True
    )
    (winner,) = [result for result in results if isinstance(result, Invoice)]
    problems = [result.problem for result in results if isinstance(result, ApprovalLinkError)]
    assert problems == [LinkProblem.ANSWERED] * 19
    assert await store.invoices.get(account.id, winner.id) == winner


async def test_a_link_works_for_fourteen_days(approvals: ApprovalService, mail: EmailMessage, clock: Clock) -> None:
    clock.advance(14 * DAY)
    assert await approvals.look(token_in(mail))
    clock.advance(2)
    assert await problem_of(approvals, token_in(mail)) is LinkProblem.EXPIRED


async def test_a_link_that_was_changed_or_signed_elsewhere_is_invalid(
    approvals: ApprovalService, store: Store, mail: EmailMessage, clock: Clock
) -> None:
    token = token_in(mail)
    for changed in ("", "nonsense", token[:-1], token + "x", "A" + token[1:], token.replace(".", "..", 1)):
        assert await problem_of(approvals, changed) is LinkProblem.INVALID
    elsewhere = ApprovalService(store.invoices, allowance(store, clock), FakeMailer(), COMPOSE, KEY.upper(), clock)
    assert await problem_of(elsewhere, token) is LinkProblem.INVALID


async def test_a_newer_request_takes_the_place_of_the_old_one(
    approvals: ApprovalService, mailer: FakeMailer, mail: EmailMessage, account: Account, invoice: Invoice
) -> None:
    await approvals.request(account.id, invoice.id, "other@example.com", "The till", BASE)
    assert await problem_of(approvals, token_in(mail)) is LinkProblem.NOT_OPEN
    assert (await answered(approvals, token_in(mailer.messages[-1]))).approval_email == "other@example.com"
    assert await problem_of(approvals, token_in(mail)) is LinkProblem.ANSWERED


async def test_an_answered_invoice_can_be_asked_about_again(
    approvals: ApprovalService, mailer: FakeMailer, mail: EmailMessage, account: Account, invoice: Invoice
) -> None:
    await answered(approvals, token_in(mail), approved=False)
    again = await approvals.request(account.id, invoice.id, "boss@example.com", "The till", BASE)
    assert again.approval_status is ApprovalStatus.REQUESTED
    assert (await answered(approvals, token_in(mailer.messages[-1]))).approval_status is ApprovalStatus.APPROVED


async def test_mail_that_is_refused_changes_nothing(
    approvals: ApprovalService, store: Store, mailer: FakeMailer, mail: EmailMessage, account: Account, invoice: Invoice
) -> None:
    before = await store.invoices.get(account.id, invoice.id)
    mailer.refuses = True
    with pytest.raises(MailNotSent):
        await approvals.request(account.id, invoice.id, "other@example.com", "The till", BASE)
    assert await store.invoices.get(account.id, invoice.id) == before
    # The request before it is still open.
    assert await approvals.look(token_in(mail))


async def test_the_links_of_a_mail_whose_request_was_not_recorded_do_nothing(
    approvals: ApprovalService,
    store: Store,
    mailer: FakeMailer,
    account: Account,
    invoice: Invoice,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def lost(*_: object) -> None:
        raise StoreUnreachable

    monkeypatch.setattr(store.invoices, "request_approval", lost)
    with pytest.raises(ServiceError):
        await approvals.request(account.id, invoice.id, "boss@example.com", "The till", BASE)
    assert await problem_of(approvals, token_in(mailer.messages[-1])) is LinkProblem.NOT_OPEN
    assert await store.invoices.get(account.id, invoice.id) == invoice


async def test_only_a_complete_invoice_of_the_account_is_asked_about(
    approvals: ApprovalService, store: Store, mailer: FakeMailer, account: Account, invoice: Invoice
) -> None:
    queued = await queue_new(store, account.id)
    for owner, wanted, error in (
        (account.id, queued.invoice.id, NotComplete),
        (account.id, new_id(), InvoiceNotFound),
        (new_id(), invoice.id, InvoiceNotFound),
    ):
        with pytest.raises(error):
            await approvals.request(owner, wanted, "boss@example.com", "The till", BASE)
    assert mailer.messages == []


async def test_facts_that_changed_since_they_were_shown_are_not_approved(
    approvals: ApprovalService, store: Store, mail: EmailMessage, account: Account, invoice: Invoice
) -> None:
    token = token_in(mail)
    seen = ApprovalFacts.of(await approvals.look(token)).fingerprint
    assert await store.intake.rerun(await approvals.look(token), account.id, MONTH, None) is not None
    assert await problem_of(approvals, token) is LinkProblem.NOT_COMPLETE
    await store.queue.save_result(
        await claim_next(store), READ.model_copy(update={"amount": Decimal("9999")}), Clock().now
    )
    with pytest.raises(ApprovalLinkError) as caught:
        await approvals.answer(token, approved=True, seen=seen)
    assert caught.value.problem is LinkProblem.CHANGED
    assert (await answered(approvals, token)).amount == Decimal("9999")


async def test_the_link_of_an_erased_invoice_is_not_open(
    approvals: ApprovalService, store: Store, mail: EmailMessage, account: Account, invoice: Invoice, clock: Clock
) -> None:
    record = await store.invoices.find_record(account.id, invoice.id)
    assert record is not None
    await store.erasure.invoice(record, clock())
    assert await problem_of(approvals, token_in(mail)) is LinkProblem.NOT_OPEN


async def test_who_asks_is_named_on_one_short_line(
    approvals: ApprovalService, mailer: FakeMailer, account: Account, invoice: Invoice
) -> None:
    await approvals.request(account.id, invoice.id, "boss@example.com", "Eve\r\n\u202e" + "e" * 500, BASE)
    first, second, *_ = text_of(mailer.messages[-1]).splitlines()
    assert first.startswith("Eve eee")
    assert len(first) < 250
    assert second == ""


def test_every_fact_counts_for_the_fingerprint() -> None:
    facts = ApprovalFacts("title", (Fact("Amount", "1"),), ())
    others = [
        replace(facts, title="other"),
        replace(facts, rows=(Fact("Amount", "2"),)),
        replace(facts, rows=(Fact("Amount", "1", "Entered"),)),
        replace(facts, warnings=("Possible duplicate",)),
    ]
    assert len({facts_.fingerprint for facts_ in (facts, *others)}) == 5
