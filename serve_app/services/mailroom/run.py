"""Works on one mail: takes it apart, makes invoices of its documents, and answers it when these are finished."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from serve_app.documents.mail.opened import OpenedMail, OpenedPart, OpenRules
from serve_app.domain.account import Account
from serve_app.domain.clock import Clock, month_start, utc_now
from serve_app.domain.errors import DocumentError, MonthlyLimitReached
from serve_app.domain.inbound_mail import (
    Decision,
    Heading,
    HeldFor,
    InboundMail,
    MailPart,
    MailState,
    Outcome,
)
from serve_app.domain.invoice import Invoice
from serve_app.domain.mail_address import MailAddress
from serve_app.domain.mail_result import invoices_of, result_of
from serve_app.services.accounts.monthly_limits import MonthlyLimits
from serve_app.services.mailroom.answers import MailAnswers
from serve_app.services.mailroom.cleanup import end_mail
from serve_app.services.mailroom.documents import MailedDocuments
from serve_app.services.ports import MailOpener, MailPolicy
from serve_app.store.base import Files, Store
from serve_app.telemetry.meter import count
from serve_app.telemetry.series import MAILS

MOST_CLAIMS = 30
"""Workers that may be lost over a mail before it is given up. Many: mails are read in a child, so a worker that dies
had another reason, and loses all mails that it has in hand."""
_FIRST_LOOK = timedelta(seconds=2)
_LONGEST_LOOK = timedelta(minutes=2)
_QUOTA_LOOK = timedelta(hours=1)
_GIVEN_UP = MailPart("1", Outcome.UNREADABLE, "The e-mail could not be unpacked. Send the document in a new e-mail.")

log = logging.getLogger(__name__)


class MailRun:
    """Any number of mails at a time. Whatever step a crash interrupts, the next run repeats without effect what was
    done before."""

    def __init__(
        self,
        store: Store,
        files: Files,
        limits: MonthlyLimits,
        opener: MailOpener,
        mail_policy: MailPolicy,
        documents: MailedDocuments,
        answers: MailAnswers,
        max_file_bytes: int,
        clock: Clock = utc_now,
    ) -> None:
        self._store = store
        self._files = files
        self._limits = limits
        self._opener = opener
        self._mail_policy = mail_policy
        self._documents = documents
        self._answers = answers
        self._max_file_bytes = max_file_bytes
        self._clock = clock

    async def run(self, mail: InboundMail) -> None:
        """Take the claimed mail one state further. Raises Unavailable: then it is tried again after its lease."""
        account = await self._store.accounts.get(mail.account_id)
        address = await self._store.mail_addresses.get(mail.account_id, mail.address_id)
        if account is None or address is None:
            # Its account was deleted while it arrived.
            await end_mail(mail, self._store.mails, self._files)
        elif mail.state is MailState.READING:
            await self._look(mail, address, account)
        elif mail.state is MailState.DONE:
            await self._save(await self._answers.answer_late(mail, address, account))
        elif mail.held_for is HeldFor.QUOTA and await self._limits.are_reached(account):
            await self._save(self._waiting_for_quota(mail))
        else:
            await self._work(mail, address, account)

    async def _work(self, mail: InboundMail, address: MailAddress, account: Account) -> None:
        try:
            raw = await self._files.read(mail.file_key)
        except FileNotFoundError:
            # Deleted with one of its invoices.
            await self._save(replace(mail, state=MailState.DONE, held_for=None, due_at=None, has_raw=False))
            return
        if mail.claims > MOST_CLAIMS:
            log.error("mail given up", extra={"mail_id": str(mail.id)})
            count(MAILS, outcome="give_up")
            given_up = replace(mail, parts=mail.parts or (replace(_GIVEN_UP, size=mail.size),))
            await self._submit(given_up, address, account, ())
            return
        opened = await self._open(mail, address, raw)
        fetched = (part for part in mail.parts if part.is_fetched)
        mail = replace(mail, heading=opened.heading, parts=(*(each.part for each in opened.parts), *fetched))
        if mail.held_for is not HeldFor.QUOTA:
            mail, decision = await self._decide_on_sender(mail, address, raw, opened.text)
            count(MAILS, outcome=decision)
            if decision is not Decision.ADMIT:
                await self._save(mail)
                return
        await self._submit(mail, address, account, opened.parts)

    async def _open(self, mail: InboundMail, address: MailAddress, raw: bytes) -> OpenedMail:
        """A mail that costs its reader its life has one part that says so."""
        requested = {part.path for part in mail.parts if part.is_wanted or part.outcome is Outcome.INVOICE}
        rules = OpenRules(address.bodies, address.ignored_pictures, tuple(sorted(requested)), self._max_file_bytes)
        try:
            opened = await self._opener.open(raw, rules)
        except DocumentError as error:
            log.warning("mail not taken apart: %s", error.message, extra={"mail_id": str(mail.id)})
            return OpenedMail(Heading(), (OpenedPart(replace(_GIVEN_UP, size=mail.size)),))
        insisted = {part.path for part in mail.parts if part.is_wanted}
        parts = (
            OpenedPart(replace(each.part, is_wanted=each.part.path in insisted), each.data) for each in opened.parts
        )
        return replace(opened, parts=tuple(parts))

    async def _decide_on_sender(
        self, mail: InboundMail, address: MailAddress, raw: bytes, text: str
    ) -> tuple[InboundMail, Decision]:
        sender = await self._mail_policy.decide(raw, mail, address, text)
        mail = replace(mail, verdict=sender.verdict, confirmation=sender.confirmation)
        decision = Decision.ADMIT if mail.is_admitted else sender.decision
        if decision is Decision.HOLD:
            mail = replace(mail, state=MailState.HELD, held_for=HeldFor.SENDER, due_at=None, claims=0)
        elif decision is Decision.DISCARD:
            mail = replace(mail, state=MailState.DISCARDED, held_for=None, due_at=None, claims=0)
        return mail, decision

    async def _submit(
        self, mail: InboundMail, address: MailAddress, account: Account, opened: tuple[OpenedPart, ...]
    ) -> None:
        is_short = False
        for each in opened:
            if each.data and not is_short:
                try:
                    mail = mail.with_part(await self._documents.submit(account, mail, each))
                except MonthlyLimitReached:
                    is_short = True
        if is_short:
            await self._save(self._waiting_for_quota(mail))
            return
        if any(part.outcome is Outcome.ERASED for part in mail.parts):
            await self._files.delete(mail.file_key)
            mail = replace(mail, has_raw=False)
        mail = replace(mail, held_for=None)
        if not invoices_of(mail):
            await self._finish(mail, address, account, [])
            return
        due_at = self._clock() + _FIRST_LOOK
        await self._save(replace(mail, state=MailState.READING, due_at=due_at, claims=0))

    async def _look(self, mail: InboundMail, address: MailAddress, account: Account) -> None:
        """Whether all invoices are finished; if so, the mail is answered, if it is to be."""
        mine = invoices_of(mail)
        open_ids = mine - await self._store.queue.finished_among(mine)
        invoices = [await self._store.invoices.get(account.id, invoice_id) for invoice_id in mine]
        if any(invoice is not None and invoice.id in open_ids for invoice in invoices):
            await self._save(replace(mail, due_at=self._next_look(mail), claims=0))
            return
        await self._finish(mail, address, account, [invoice for invoice in invoices if invoice is not None])

    async def _finish(
        self, mail: InboundMail, address: MailAddress, account: Account, invoices: Sequence[Invoice]
    ) -> None:
        problems = 0 if mail.is_settled else len(result_of(mail, invoices).problems)
        done = replace(mail, state=MailState.DONE, due_at=None, claims=0, problems=problems)
        await self._save(await self._answers.answer(done, address, account, invoices))

    def _next_look(self, mail: InboundMail) -> datetime:
        now = self._clock()
        return now + min(max((now - mail.received_at) / 2, _FIRST_LOOK), _LONGEST_LOOK)

    def _waiting_for_quota(self, mail: InboundMail) -> InboundMail:
        """Looks again at the turn of the month, and every hour, since the plan may change."""
        now = self._clock()
        next_month = month_start(month_start(now) + timedelta(days=32))
        due_at = min(now + _QUOTA_LOOK, next_month)
        return replace(mail, state=MailState.HELD, held_for=HeldFor.QUOTA, due_at=due_at, claims=0)

    async def _save(self, mail: InboundMail) -> None:
        """A mail that somebody else has changed meanwhile is worked on again as it is now."""
        if await self._store.mails.save(mail) is None:
            log.info("mail changed during its run", extra={"mail_id": str(mail.id)})
