"""What people say about an invoice: it lies over what was read, and never replaces it.

An invoice answers the person's value where there is one, else the one that was read. Both are kept, so that a decision
can be taken back, and a new reading of the document changes only what nobody has decided.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict

from serve_app.domain.booked_lines import overlaid_coding
from serve_app.domain.coding import Coding, CodingDecision
from serve_app.domain.invoice import (
    CheckKind,
    Citation,
    Correction,
    Invoice,
    InvoiceReview,
    ReviewStatus,
    Status,
    SupplierCheck,
)
from serve_app.domain.own_values import has_line, line_of, own_values
from serve_app.domain.provenance import with_sources
from serve_app.domain.review_fields import citation_of, same, value_of, with_value
from serve_app.domain.review_tables import LINE_ITEMS, TABLES, with_words_of

K = TypeVar("K")
S = TypeVar("S")

MAX_STEPS = 100
"""How many changes can be undone."""
_MAX_HISTORY = 400_000
"""Characters of the steps that are kept: a row of the store has a limited size."""

Changes = Mapping[str, "Decision | None"]
CheckChanges = Mapping[CheckKind, "ConfirmedCheck | None"]
_NO_CHECKS: CheckChanges = {}


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True)


class Decision(_Kept):
    """What a person says that a field is; `value` as `review_fields` describes it. It may be what was read. `by` is the
    person's address, or with `by_key` the name of an API key."""

    value: Any
    citation: Citation | None = None
    by: str
    by_key: bool = False
    at: datetime


class ReadValue(_Kept):
    """What was read where a person has decided."""

    value: Any
    citation: Citation | list[Citation] | None = None


class Verdict(_Kept):
    """What a person says about the whole invoice. `reason` is given with a rejection. `seconds` is how long the person
    had the review open until then; None if that was not measured."""

    status: ReviewStatus = ReviewStatus.OPEN
    by: str | None = None
    at: datetime | None = None
    reason: str | None = None
    seconds: float | None = None


class ConfirmedCheck(_Kept):
    """A person's word that what a check found is in order. It holds for a check of this `text` alone: another reading
    may find another account."""

    text: str
    by: str
    at: datetime


class CodingChange(NamedTuple):
    """The coding that somebody decides on; None takes it back."""

    decision: CodingDecision | None


class Step(_Kept):
    """A change that can be undone. `before` and `after` have the same keys, those of the checks too; None is no
    decision."""

    before: dict[str, Decision | None] = {}
    after: dict[str, Decision | None] = {}
    verdict_before: Verdict
    verdict_after: Verdict
    checks_before: dict[CheckKind, ConfirmedCheck | None] = {}
    checks_after: dict[CheckKind, ConfirmedCheck | None] = {}
    coding_before: CodingDecision | None = None
    coding_after: CodingDecision | None = None

    @property
    def is_empty(self) -> bool:
        """Whether it says what was said before."""
        texts = [
            {kind: said and said.text for kind, said in checks.items()}
            for checks in (self.checks_before, self.checks_after)
        ]
        is_same = all(_says_same(self.before[name], self.after[name]) for name in self.after)
        is_same = is_same and _postings(self.coding_before) == _postings(self.coding_after)
        return is_same and texts[0] == texts[1] and self.verdict_before.status is self.verdict_after.status


class Overlay(_Kept):
    """What people say of fields. `read` has what was read of the decided ones."""

    decisions: dict[str, Decision] = {}
    read: dict[str, ReadValue] = {}

    @property
    def corrected(self) -> list[str]:
        """The fields of which a person says something else than was read."""
        return [
            name
            for name, decision in self.decisions.items()
            if name in self.read and not same(name, decision.value, self.read[name].value)
        ]

    @property
    def corrections(self) -> dict[str, Correction]:
        """Who has entered each corrected value, and what was read instead."""
        return {name: _correction(self.decisions[name], self.read[name].value) for name in self.corrected}


class Review(Overlay):
    """`revision` grows with every change. Of the `steps`, the first `done` are in effect: the others were undone.
    `suggested` is the coding that `coding` or corrected line items
    lie over."""

    revision: int = 0
    verdict: Verdict = Verdict()
    steps: list[Step] = []
    done: int = 0
    checks: dict[CheckKind, ConfirmedCheck] = {}
    coding: CodingDecision | None = None
    suggested: Coding | None = None

    @property
    def is_open(self) -> bool:
        """Whether nobody has decided on the whole invoice."""
        return self.verdict.status is ReviewStatus.OPEN

    @property
    def undoable(self) -> int:
        return self.done

    @property
    def redoable(self) -> int:
        return len(self.steps) - self.done

    def summary(self) -> InvoiceReview:
        """What the invoice tells of it."""
        verdict = self.verdict
        return InvoiceReview(
            status=verdict.status,
            by=verdict.by,
            at=verdict.at,
            reason=verdict.reason,
            fields=self.corrected,
            corrections=self.corrections,
        )

    def changed(
        self,
        changes: Changes,
        verdict: Verdict | None = None,
        checks: CheckChanges = _NO_CHECKS,
        coding: CodingChange | None = None,
    ) -> "Review":
        """With these decisions and confirmed checks (None takes one back), this verdict and this coding, as one step
        that can be undone. Without any difference, the same review."""
        step = Step(
            before={name: self.decisions.get(name) for name in changes},
            after=dict(changes),
            verdict_before=self.verdict,
            verdict_after=verdict or self.verdict,
            checks_before={kind: self.checks.get(kind) for kind in checks},
            checks_after=dict(checks),
            coding_before=self.coding,
            coding_after=self.coding if coding is None else coding.decision,
        )
        if step.is_empty:
            return self
        steps = _short([*self.steps[: self.done], step])
        return self._with(step.after, step.checks_after, step.verdict_after, step.coding_after, steps, len(steps))

    def undone(self) -> "Review":
        """Without the last step; the same review if there is none."""
        if not self.done:
            return self
        step = self.steps[self.done - 1]
        return self._with(
            step.before, step.checks_before, step.verdict_before, step.coding_before, self.steps, self.done - 1
        )

    def redone(self) -> "Review":
        """With the step that was undone last; the same review if there is none."""
        if not self.redoable:
            return self
        step = self.steps[self.done]
        return self._with(
            step.after, step.checks_after, step.verdict_after, step.coding_after, self.steps, self.done + 1
        )

    def _with(
        self,
        changes: Changes,
        checks: CheckChanges,
        verdict: Verdict,
        coding: CodingDecision | None,
        steps: list[Step],
        done: int,
    ) -> "Review":
        return self.model_copy(
            update={
                "revision": self.revision + 1,
                "verdict": verdict,
                "decisions": _replaced(self.decisions, changes),
                "checks": _replaced(self.checks, checks),
                "coding": coding,
                "steps": steps,
                "done": done,
            }
        )


def _replaced(said: Mapping[K, S], changes: Mapping[K, S | None]) -> dict[K, S]:
    """With the changed ones last, in their order."""
    kept = {name: each for name, each in said.items() if name not in changes}
    return kept | {name: each for name, each in changes.items() if each is not None}


NO_REVIEW = Review()
"""Nobody has said anything."""


def _correction(decision: Decision, read: Any) -> Correction:
    text = read if isinstance(read, str) else None
    return Correction(read=text, by=decision.by, by_key=decision.by_key, at=decision.at)


def _postings(decision: CodingDecision | None) -> Any:
    return decision and decision.postings


def _says_same(one: Decision | None, other: Decision | None) -> bool:
    if one is None or other is None:
        return one is other
    return (one.value, one.citation) == (other.value, other.citation)


def _short(steps: list[Step]) -> list[Step]:
    """The newest steps, as many as may be kept; at least the last."""
    kept, size = [steps[-1]], 0
    for step in reversed(steps[-MAX_STEPS:-1]):
        size += len(step.model_dump_json())
        if size > _MAX_HISTORY:
            break
        kept.append(step)
    return kept[::-1]


def as_read(invoice: Invoice, review: Review) -> Invoice:
    """The invoice without what people say."""
    # What lies over a row goes first: the table that was read has it all.
    for name, read in reversed(review.read.items()):
        invoice = with_value(invoice, name, read.value, read.citation)
    if review.coding is None and review.suggested is None:
        return invoice
    return invoice.model_copy(update={"coding": review.suggested})


def overlaid(read: Invoice, review: Review) -> tuple[Invoice, Review]:
    """The invoice with what people say over what was read, and the review that remembers what that was."""
    kept: dict[str, ReadValue] = {}
    invoice = read
    for name in sorted(review.decisions, key=lambda each: line_of(each) or 0):
        line = line_of(name)
        if line is None or has_line(invoice, line):
            kept[name] = ReadValue(value=value_of(invoice, name), citation=citation_of(invoice, name))
            invoice = _decided(invoice, name, review.decisions[name], kept[name])
    coding = overlaid_coding(read.coding, review.coding, invoice)
    suggested = None if coding is read.coding else read.coding
    review = review.model_copy(update={"read": kept, "suggested": suggested})
    said = {
        "review": review.summary(),
        "checks": _with_confirmations(read.checks, review.checks),
        "coding": coding,
    }
    return with_sources(invoice.model_copy(update=said)), review


def _with_confirmations(
    checks: Sequence[SupplierCheck], confirmed: Mapping[CheckKind, ConfirmedCheck]
) -> list[SupplierCheck]:
    return [_with_confirmation(check, confirmed.get(check.kind)) for check in checks]


def _with_confirmation(check: SupplierCheck, said: ConfirmedCheck | None) -> SupplierCheck:
    holds = said is not None and said.text == check.text
    update = {"confirmed_by": said.by, "confirmed_at": said.at} if said and holds else {}
    return check.model_copy(update={"confirmed_by": None, "confirmed_at": None, **update})


def _decided(invoice: Invoice, name: str, decision: Decision, read: ReadValue) -> Invoice:
    if same(name, decision.value, read.value):
        # As it was read, with its place and the models' word on each row.
        return with_value(invoice, name, read.value, decision.citation or read.citation)
    if name in TABLES:
        # The places of the rows that were read are not those of other rows.
        rows = with_words_of(decision.value or (), read.value) if name == LINE_ITEMS else decision.value
        return with_value(invoice, name, rows, None)
    return with_value(invoice, name, decision.value, decision.citation)


def needs_person(invoice: Invoice, *, is_drawn: bool = False) -> bool:
    """Whether somebody should look at it: it is complete, nobody has decided, and it was drawn for the audit sample, or
    neither verified automatically nor matched with an order so that it needs no look, or it lacks a required own
    field."""
    is_open = invoice.review.status is ReviewStatus.OPEN
    is_sure = invoice.auto_verified or (invoice.order_match is not None and invoice.order_match.skips_review)
    is_sure = is_sure and not any(each.is_missing for each in own_values(invoice).values())
    return invoice.status is Status.COMPLETE and is_open and (is_drawn or not is_sure)
