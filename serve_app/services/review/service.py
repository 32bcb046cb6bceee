"""What people say about invoices."""

import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from serve_app.coding.learn import example_of as coding_example
from serve_app.domain.audit import Actor
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.coding import CodingExample
from serve_app.domain.errors import InvoiceNotFound, PartNotFound, ReviewChanged
from serve_app.domain.evidence import Evidence
from serve_app.domain.invoice import CheckKind, Confidence, CustomValue, Invoice, ReviewStatus
from serve_app.domain.memory import VendorExample
from serve_app.domain.order_match import OrderMatch
from serve_app.domain.own_field import OwnField, OwnFieldScope
from serve_app.domain.own_field_example import OwnFieldExample
from serve_app.domain.own_values import own_field_name, own_name, own_values
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.review import Review, as_read, overlaid
from serve_app.domain.review_answer import PageAnswer, ReviewAnswer
from serve_app.domain.review_fields import same, value_of
from serve_app.domain.vendor import VendorDetails
from serve_app.services.orders.matching import Bill, OrderMatcher
from serve_app.services.own_fields.finding import OwnFieldFinder
from serve_app.services.people.audit import AuditTrail
from serve_app.services.review.answer import answer_of, page_answer
from serve_app.services.review.change import ReviewChange
from serve_app.services.review.evidence import evidence_of
from serve_app.store.base import Files, Invoices, OwnFields, Reviews
from serve_app.store.base.reviews import NewReview
from serve_app.system.thread_pools import COMPUTING

log = logging.getLogger(__name__)

# How a verb makes of the review of a record another one.
Say = Callable[[InvoiceRecord, datetime], Review]


class ReviewService:
    """Shows reviews, and changes them: each verb takes the `revision` that was seen, and answers the review after it.

    `decided` is called with the record after each verdict. Every method raises InvoiceNotFound for an invoice that is
    unknown or another account's. Those that change also raise ReviewChanged if the review has another revision by now,
    and NotComplete.
    """

    def __init__(
        self,
        invoices: Invoices,
        reviews: Reviews,
        files: Files,
        audit: AuditTrail,
        clock: Clock = utc_now,
        decided: Callable[[InvoiceRecord], None] = lambda _: None,
        orders: OrderMatcher | None = None,
        own_fields: OwnFields | None = None,
        finder: OwnFieldFinder | None = None,
    ) -> None:
        self._invoices = invoices
        self._reviews = reviews
        self._files = files
        self._audit = audit
        self._clock = clock
        self._decided = decided
        self._orders = orders
        self._own_fields = own_fields
        self._finder = finder

    async def get(self, account_id: UUID, invoice_id: UUID) -> ReviewAnswer:
        """The review with everything that helps to decide."""
        return await self._answer(await self._record(account_id, invoice_id))

    async def page(self, account_id: UUID, invoice_id: UUID, number: int, picture: str) -> PageAnswer:
        """The words of a page (from 1), whose picture is at `picture`. Raises PartNotFound if there is no such page."""
        record = await self._record(account_id, invoice_id)
        evidence = await evidence_of(self._files, record)
        if not 1 <= number <= (len(evidence.pages) or record.invoice.pages or 1):
            raise PartNotFound
        return page_answer(record.invoice, evidence, number, picture)

    async def change(
        self, account_id: UUID, invoice_id: UUID, revision: int, change: ReviewChange, actor: Actor
    ) -> ReviewAnswer:
        """Decide on fields, on the whole invoice, or both. Raises InvalidParameter for a value that is not allowed."""
        if change.names_own_fields:
            change = change.with_own_fields(await self._fields_of(account_id))

        def say(record: InvoiceRecord, now: datetime) -> Review:
            if record.invoice.pages is not None:
                change.check_pages(record.invoice.pages)
            seconds = record.lease.seconds_of(actor.person_id, now) if record.lease else None
            return change.apply(record.review, record.invoice, actor, now, seconds)

        return await self._say(account_id, invoice_id, revision, say, actor)

    async def confirm(self, account_id: UUID, invoice_id: UUID, revision: int, actor: Actor) -> ReviewAnswer:
        """Everything is right as it stands now."""
        return await self.change(account_id, invoice_id, revision, ReviewChange(status=ReviewStatus.CONFIRMED), actor)

    async def reject(
        self, account_id: UUID, invoice_id: UUID, revision: int, reason: str, actor: Actor
    ) -> ReviewAnswer:
        """The invoice is not to be used, for this reason."""
        change = ReviewChange(status=ReviewStatus.REJECTED, reason=reason)
        return await self.change(account_id, invoice_id, revision, change, actor)

    async def reopen(self, account_id: UUID, invoice_id: UUID, revision: int, actor: Actor) -> ReviewAnswer:
        """Take the confirmation or the rejection back."""
        return await self.change(account_id, invoice_id, revision, ReviewChange(status=ReviewStatus.OPEN), actor)

    async def undo(self, account_id: UUID, invoice_id: UUID, revision: int, actor: Actor) -> ReviewAnswer:
        """Take the last change back, whoever made it."""
        say = _step(Review.undone)
        return await self._say(account_id, invoice_id, revision, say, actor, step="invoice.undone")

    async def redo(self, account_id: UUID, invoice_id: UUID, revision: int, actor: Actor) -> ReviewAnswer:
        """Make the change again that was undone last."""
        say = _step(Review.redone)
        return await self._say(account_id, invoice_id, revision, say, actor, step="invoice.redone")

    async def _say(
        self, account_id: UUID, invoice_id: UUID, revision: int, say: Say, actor: Actor, step: str = ""
    ) -> ReviewAnswer:
        """`step` names what was done in the audit trail, unless it changes the verdict; empty for a decision."""
        record = await self._record(account_id, invoice_id)
        if record.review_revision != revision:
            raise ReviewChanged
        now = self._clock()
        said = say(record, now)
        if said is record.review:
            return await self._answer(record)
        evidence = await evidence_of(self._files, record)
        example = await self._example(record, said, evidence)
        coding, match = _coding_example(record, said), await self._order_match(record, said, evidence)
        own = await self._own_example(record, said, evidence)
        new = NewReview(said, revision, now, _is_news(record.review, said), example, coding, match, own)
        saved = await self._reviews.save(account_id, invoice_id, new)
        if saved is None:
            raise InvoiceNotFound
        await self._note(saved, record, actor, step)
        if saved.review.verdict.status is not ReviewStatus.OPEN:
            self._decided(saved)
        return await self._answer(saved, evidence)

    async def _example(self, record: InvoiceRecord, said: Review, evidence: Evidence) -> VendorExample | None:
        """What the invoice teaches once this is said: only confirmed ones do."""
        if said.verdict.status is not ReviewStatus.CONFIRMED:
            return None
        invoice, kept = overlaid(as_read(record.invoice, record.review), said)
        return await COMPUTING.run(_example_of, invoice, kept, evidence, record.details)

    async def _own_example(self, record: InvoiceRecord, said: Review, evidence: Evidence) -> OwnFieldExample | None:
        """What the invoice teaches about own fields once this is said."""
        if not own_values(record.invoice) and not any(map(own_name, said.decisions)):
            return None
        read = as_read(record.invoice, record.review)
        invoice, kept = overlaid(read, said)
        return await COMPUTING.run(_own_example_of, invoice, read, kept, evidence, record.details)

    async def _fields_of(self, account_id: UUID) -> list[OwnField]:
        return [] if self._own_fields is None else await self._own_fields.of_account(account_id)

    async def _order_match(self, record: InvoiceRecord, said: Review, evidence: Evidence) -> OrderMatch | None:
        """The match with purchase orders once this is said. Other invoices of the orders are compared again, too."""
        if self._orders is None:
            return None
        match = await self._orders.match(record.account_id, Bill.of(record, said, evidence))
        after = [] if match is None else [record.invoice.model_copy(update={"order_match": match})]
        await self._orders.check_again(record.account_id, [record.invoice, *after])
        return match

    async def confirm_check(
        self, account_id: UUID, invoice_id: UUID, kind: CheckKind, actor: Actor, *, is_confirmed: bool
    ) -> None:
        """What this check found is in order, or not so any more, whatever else was changed meanwhile."""
        record = await self._record(account_id, invoice_id)
        change = ReviewChange(checks={kind: is_confirmed})
        await self.change(account_id, invoice_id, record.review_revision, change, actor)

    async def _note(self, saved: InvoiceRecord, before: InvoiceRecord, actor: Actor, step: str) -> None:
        for kind, is_confirmed in _decided_checks(before.review, saved.review).items():
            action = "invoice.check_confirmed" if is_confirmed else "invoice.check_reopened"
            await self._audit.record(actor, saved.account_id, action, str(saved.invoice.id), check=kind)
        decided = _decided_fields(before.review, saved.review)
        corrected = [name for name in decided if _is_other_value(before.invoice, saved.invoice, name)]
        verdict = saved.review.verdict.status
        if verdict is not before.review.verdict.status:
            action = "invoice.reopened" if verdict is ReviewStatus.OPEN else f"invoice.{verdict}"
        elif step or decided:
            action = step or ("invoice.corrected" if corrected else "invoice.checked")
        elif before.review.coding != saved.review.coding:
            action = "invoice.coded"
        else:
            return
        fields = ", ".join(corrected or decided) or None
        await self._audit.record(actor, saved.account_id, action, str(saved.invoice.id), fields=fields)

    async def _record(self, account_id: UUID, invoice_id: UUID) -> InvoiceRecord:
        record = await self._invoices.find_record(account_id, invoice_id)
        if record is None:
            raise InvoiceNotFound
        return record

    async def _answer(self, record: InvoiceRecord, evidence: Evidence | None = None) -> ReviewAnswer:
        seen = await evidence_of(self._files, record) if evidence is None else evidence
        fields = await self._fields_of(record.account_id)
        return answer_of(record, seen, self._clock(), fields, await self._found(record, fields, seen))

    async def _found(
        self, record: InvoiceRecord, fields: Sequence[OwnField], evidence: Evidence
    ) -> Mapping[str, CustomValue]:
        """What is found now of own fields that nobody has decided on and that are not sure."""
        if self._finder is None or not record.review.is_open:
            return {}
        custom, decided = record.invoice.custom, record.review.decisions
        unsure = [
            field
            for field in fields
            if field.scope is OwnFieldScope.HEADER
            and own_field_name(field.name) not in decided
            and custom.get(field.name, CustomValue()).confidence is not Confidence.HIGH
        ]
        return await self._finder.renewed(record.account_id, record.invoice.id, unsure, evidence)


def _coding_example(record: InvoiceRecord, said: Review) -> CodingExample | None:
    """What the coding of the invoice teaches once this is said: nothing if it is rejected."""
    if said.coding is None or said.verdict.status is ReviewStatus.REJECTED:
        return None
    read = as_read(record.invoice, record.review)
    invoice, _ = overlaid(read, said)
    return coding_example(invoice, record.invoice.entity_tag, said.coding, read.coding)


def _step(verb: Callable[[Review], Review]) -> Say:
    return lambda record, _: verb(record.review)


def _decided_fields(before: Review, after: Review) -> list[str]:
    """The fields of which a person says something else than before."""
    names = {*before.decisions, *after.decisions}
    return sorted(name for name in names if before.decisions.get(name) != after.decisions.get(name))


def _decided_checks(before: Review, after: Review) -> dict[CheckKind, bool]:
    """The checks that a person says something else about than before: whether they are in order."""
    kinds = {*before.checks, *after.checks}
    return {kind: kind in after.checks for kind in sorted(kinds) if before.checks.get(kind) != after.checks.get(kind)}


def _is_other_value(before: Invoice, after: Invoice, name: str) -> bool:
    return not same(name, value_of(before, name), value_of(after, name))


def _is_news(before: Review, after: Review) -> bool:
    """Whether receivers of events are told: of every verdict, and of what changes after one."""
    return after.verdict != before.verdict or after.verdict.status is not ReviewStatus.OPEN


def _own_example_of(
    invoice: Invoice, read: Invoice, review: Review, evidence: Evidence, known: VendorDetails
) -> OwnFieldExample | None:
    # As large as above.
    from serve_app.extraction.own_fields.learn import own_field_example

    return own_field_example(invoice, read, review, evidence, known)


def _example_of(invoice: Invoice, review: Review, evidence: Evidence, known: VendorDetails) -> VendorExample | None:
    # With the patterns of dates in all languages: tens of megabytes that are not needed before the first confirmation.
    from serve_app.extraction.memory.learn import example_of

    return example_of(invoice, review, evidence, known)
