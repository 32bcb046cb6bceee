"""A review as `GET /v1/invoices/{id}/review` answers it.

Values are texts: an exact decimal, an ISO 8601 date, or what is printed; null is "not printed".
"""

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import Field

from serve_app.domain.evidence import DoubtCode, ReadBy
from serve_app.domain.invoice import Citation, Confidence, CustomValue, ReviewStatus
from serve_app.domain.resource import Resource
from serve_app.domain.value_evidence import EvidenceKind


class ReviewDoubt(Resource):
    """Why a value is not `high`: a code, and a sentence for people."""

    code: DoubtCode
    text: str


class ReviewCandidate(Resource):
    """A value that may be the field's. `text` is what is printed, `sources` are those who read it, `score` is from 0
    to 1."""

    value: str
    text: str
    sources: list[ReadBy]
    score: float
    citation: Citation


class FieldDecision(Resource):
    """Who decided what the value is."""

    by: str
    at: datetime


class ReviewField(Resource):
    """One field. `value` is what the invoice has, `read` what was read; `corrected` is whether they differ.
    `decision` is a person's, also where it is what was read. `earlier` are confirmed invoices of the vendor that
    speak for the value that was read. `evidence` is what speaks for the value of the invoice."""

    value: str | None
    read: str | None
    corrected: bool
    decision: FieldDecision | None
    confidence: Confidence | None
    citation: Citation | None
    doubt: ReviewDoubt | None
    candidates: list[ReviewCandidate]
    earlier: list[UUID]
    evidence: list[EvidenceKind]


class ReviewRow(Resource):
    """One line item."""

    description: str | None
    quantity: str | None
    unit_price: str | None
    total: str | None
    tax_rate: str | None
    confidence: Confidence | None
    citation: Citation | None
    custom: dict[str, CustomValue] = Field(default_factory=dict)
    """The account's own fields of lines, by their names."""


class ReviewTaxRow(Resource):
    """The tax of one rate, which is in percent; `base` is the net sum that it is taken of."""

    rate: str | None
    base: str | None
    amount: str | None
    citation: Citation | None


class _ReviewTable(Resource):
    corrected: bool
    decision: FieldDecision | None
    confidence: Confidence | None
    doubt: ReviewDoubt | None


class ReviewTable(_ReviewTable):
    """The line items, in the terms of a field."""

    value: list[ReviewRow]
    read: list[ReviewRow]


class ReviewTaxTable(_ReviewTable):
    """The tax of each rate, in the terms of a field."""

    value: list[ReviewTaxRow]
    read: list[ReviewTaxRow]


class ReviewCheck(Resource):
    """A sum that should come out: `difference` is what it is too much (or, negative, too little)."""

    code: str
    text: str
    holds: bool
    difference: str


class ReviewPage(Resource):
    """A page of the invoice; its size in points, if that is known."""

    page: int
    width: float | None
    height: float | None


class ReviewHistory(Resource):
    """How many changes can be undone and redone."""

    undo: int
    redo: int


class ReviewReader(Resource):
    """Who has a review open; nobody has after `until`, unless the reader gives a sign of life before."""

    name: str
    until: datetime


class ReviewAnswer(Resource):
    """Everything that a person needs to decide on an invoice. `revision` is to be sent with a change. `assignee` is the
    person whose work it is."""

    id: UUID
    object: Literal["review"] = "review"
    revision: int
    status: ReviewStatus
    by: str | None
    at: datetime | None
    reason: str | None
    fields: dict[str, ReviewField]
    line_items: ReviewTable
    tax_lines: ReviewTaxTable
    checks: list[ReviewCheck]
    pages: list[ReviewPage]
    history: ReviewHistory
    opened_by: ReviewReader | None
    assignee: UUID | None


class PageWord(Resource):
    """A printed word; `score` (0 to 1) is how surely it was read, null for a text layer."""

    text: str
    box: tuple[float, float, float, float]
    score: float | None


class PageAnswer(Resource):
    """A page of an invoice and its words, in reading order; without words if they were not kept. `picture` is where its
    picture is."""

    object: Literal["page"] = "page"
    page: int
    width: float | None
    height: float | None
    picture: str
    words: list[PageWord]
