"""Answers about reviews. Written by `python -m scripts.clients` from the OpenAPI document."""

from datetime import datetime

from invoices_client.models.base import Model
from invoices_client.models.enums import Confidence, DoubtCode, EvidenceKind, Field, ReadBy, ReviewStatus
from invoices_client.models.invoices import Citation, CustomValue


class FieldDecision(Model):
    """Who decided what the value is."""

    by: str
    """The address of a person or the name of an API key."""
    at: datetime
    """When."""


class ReviewDoubt(Model):
    """Why a value is not `high`: a code, and a sentence for people."""

    code: DoubtCode
    """A fixed word for programs."""
    text: str
    """The printed text, or the value that it means."""


class ReviewCandidate(Model):
    """A value that may be the field's. `text` is what is printed, `sources` are those who read it, `score` is from 0
    to 1.
    """

    value: str
    """The value."""
    text: str
    """The printed text, or the value that it means."""
    sources: list[ReadBy] = []
    """The models or people that give this value."""
    score: float
    """The score, from 0 to 1."""
    citation: Citation
    """Where the value is printed; null if that is not known."""


class ReviewField(Model):
    """One field. `value` is what the invoice has, `read` what was read; `corrected` is whether they differ.
    `decision` is a person's, also where it is what was read. `earlier` are confirmed invoices of the vendor that
    speak for the value that was read. `evidence` is what speaks for the value of the invoice.
    """

    value: str | None = None
    """The value."""
    read: str | None = None
    """The extracted value; null if none was found."""
    corrected: bool
    """Whether a person changed the extracted value."""
    decision: FieldDecision | None = None
    """Who decided on the value; null if nobody did."""
    confidence: Confidence | None = None
    """How reliable the extracted value is."""
    citation: Citation | None = None
    """Where the value is printed; null if that is not known."""
    doubt: ReviewDoubt | None = None
    """Why the value is not `high`."""
    candidates: list[ReviewCandidate] = []
    """Possible values of the field, the likeliest first."""
    earlier: list[str] = []
    """Confirmed invoices of the vendor that support the value."""
    evidence: list[EvidenceKind] = []
    """What speaks for the value of the invoice."""


class ReviewRow(Model):
    """One line item."""

    description: str | None = None
    """The text of the line."""
    quantity: str | None = None
    """How many."""
    unit_price: str | None = None
    """The price of one."""
    total: str | None = None
    """The total of the line."""
    tax_rate: str | None = None
    """In percent."""
    confidence: Confidence | None = None
    """How reliable the extracted value is."""
    citation: Citation | None = None
    """Where the value is printed; null if that is not known."""
    custom: dict[str, CustomValue] = {}
    """The account's own fields of lines, by their names."""


class ReviewTable(Model):
    """The line items, in the terms of a field."""

    corrected: bool
    """Whether a person changed the extracted value."""
    decision: FieldDecision | None = None
    """Who decided on the value; null if nobody did."""
    confidence: Confidence | None = None
    """How reliable the extracted value is."""
    doubt: ReviewDoubt | None = None
    """Why the value is not `high`."""
    value: list[ReviewRow] = []
    """The value."""
    read: list[ReviewRow] = []
    """The extracted value; null if none was found."""


class ReviewTaxRow(Model):
    """The tax of one rate, which is in percent; `base` is the net sum that it is taken of."""

    rate: str | None = None
    """In percent."""
    base: str | None = None
    """The net sum that is taxed."""
    amount: str | None = None
    """The total of the invoice, with tax; null if it was not found."""
    citation: Citation | None = None
    """Where the value is printed; null if that is not known."""


class ReviewTaxTable(Model):
    """The tax of each rate, in the terms of a field."""

    corrected: bool
    """Whether a person changed the extracted value."""
    decision: FieldDecision | None = None
    """Who decided on the value; null if nobody did."""
    confidence: Confidence | None = None
    """How reliable the extracted value is."""
    doubt: ReviewDoubt | None = None
    """Why the value is not `high`."""
    value: list[ReviewTaxRow] = []
    """The value."""
    read: list[ReviewTaxRow] = []
    """The extracted value; null if none was found."""


class ReviewCheck(Model):
    """A sum that should come out: `difference` is what it is too much (or, negative, too little)."""

    code: str
    """A fixed word for programs."""
    text: str
    """The printed text, or the value that it means."""
    holds: bool
    """Whether the sum is right."""
    difference: str
    """The difference between the two sides; negative if the left side is smaller."""


class ReviewPage(Model):
    """A page of the invoice; its size in points, if that is known."""

    page: int
    """The page, from 1."""
    width: float | None = None
    """In points; null if it is not known."""
    height: float | None = None
    """In points; null if it is not known."""


class ReviewHistory(Model):
    """How many changes can be undone and redone."""

    undo: int
    """How many changes can be undone."""
    redo: int
    """How many changes can be redone."""


class ReviewReader(Model):
    """Who has a review open; nobody has after `until`, unless the reader gives a sign of life before."""

    name: str
    """The name."""
    until: datetime
    """When the lock ends unless it is renewed."""


class ReviewAnswer(Model):
    """Everything that a person needs to decide on an invoice. `revision` is to be sent with a change. `assignee` is
    the person whose work it is.
    """

    id: str
    """The id."""
    object: str
    """The type of the object."""
    revision: int
    """The revision to send with a change."""
    status: ReviewStatus
    """The review of the invoice."""
    by: str | None = None
    """The address of a person or the name of an API key."""
    at: datetime | None = None
    """When."""
    reason: str | None = None
    """Why it was rejected."""
    fields: dict[str, ReviewField] = {}
    """The fields."""
    line_items: ReviewTable
    """The lines of the invoice, as a whole."""
    tax_lines: ReviewTaxTable
    """The tax of each rate."""
    checks: list[ReviewCheck] = []
    """Sums that are checked."""
    pages: list[ReviewPage] = []
    """The pages."""
    history: ReviewHistory
    """How many changes can be undone and redone."""
    opened_by: ReviewReader | None = None
    """Who has the review open."""
    assignee: str | None = None
    """The person assigned to review it."""


class PageWord(Model):
    """A printed word; `score` (0 to 1) is how surely it was read, null for a text layer."""

    text: str
    """The printed text, or the value that it means."""
    box: list[float] = []
    """`x0`, `y0`, `x1`, `y1` as fractions of the page, from its top left corner."""
    score: float | None = None
    """The score, from 0 to 1."""


class PageAnswer(Model):
    """A page of an invoice and its words, in reading order; without words if they were not kept. `picture` is where
    its picture is.
    """

    object: str
    """The type of the object."""
    page: int
    """The page, from 1."""
    width: float | None = None
    """In points; null if it is not known."""
    height: float | None = None
    """In points; null if it is not known."""
    picture: str
    """The URL of its picture."""
    words: list[PageWord] = []
    """Its words, in reading order."""


class LevelQuality(Model):
    """Values of one field and level on which people have decided. `share` of them was right, weighted by how many
    values each stands for; `low` and `high` are its 95 % interval.
    """

    field: Field
    """The field."""
    level: Confidence
    """The level of confidence."""
    values: int
    """The number of values that people saw."""
    right: int
    """The number of them that were right."""
    stands_for: float
    """The number of values that they represent."""
    share: float
    """The share of right values, weighted."""
    low: float
    """The lower end of the 95 % interval."""
    high: float
    """The upper end of the 95 % interval."""


class FieldQuality(Model):
    """One field: how many of its values people have corrected, and the share of invoices on which it was `high`."""

    field: Field
    """The field."""
    corrected: int
    """Whether a person changed the extracted value."""
    coverage: float | None = None
    """The share of invoices on which it was `high`, from 0 to 1."""


class VendorQuality(Model):
    """A vendor, and how many values of its invoices were corrected."""

    name: str
    """The name."""
    corrected: int
    """Whether a person changed the extracted value."""


class RaisedThreshold(Model):
    """A field whose `high` values were wrong too often: since then they are `high` from this probability on, or
    never (null).
    """

    field: Field
    """The field."""
    chance: float | None = None
    """The lowest probability at which a value is `high`; null if no value is."""
    since: datetime
    """The start."""


class TimeSaved(Model):
    """`seconds` is the median of the `measured` reviews, from opening one in the web application to the verdict;
    null without any. `unseen` invoices came `since` then, were verified automatically, and nobody had to look at
    them: to review them would have taken `minutes_saved`.
    """

    measured: int
    """The number of measured reviews."""
    seconds: float | None = None
    """The median duration of a review."""
    since: datetime
    """The start."""
    unseen: int
    """The number of invoices that needed no review."""
    minutes_saved: float | None = None
    """The time of the reviews that were not necessary, in minutes."""


class QualityAnswer(Model):
    """What people's decisions on an account's invoices say about the levels of confidence. `promised` is the least
    share of `high` values of a field that is to be right. `drawn` is how many of the decided invoices were of the
    audit sample.
    """

    object: str
    """The type of the object."""
    promised: float
    """The share of right values that `high` guarantees."""
    decided: int
    """The number of invoices that people confirmed or rejected."""
    confirmed: int
    """The number of them that were confirmed."""
    rejected: int
    """The number of them that were rejected."""
    drawn: int
    """The number of them in the audit sample."""
    levels: list[LevelQuality] = []
    """The accuracy of each level, by field."""
    fields: list[FieldQuality] = []
    """The fields."""
    vendors: list[VendorQuality] = []
    """The vendors with the most corrections."""
    thresholds: list[RaisedThreshold] = []
    """Raised thresholds."""
    time: TimeSaved
    """The time saved."""
