"""What the review screen shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from typing import Any
from uuid import UUID

from serve_app.domain.evidence import ReadBy
from serve_app.domain.invoice import Confidence, FieldSource, Invoice, ReviewStatus
from serve_app.domain.own_field import OwnField, OwnFieldScope
from serve_app.domain.own_values import own_field_name, own_name
from serve_app.domain.review_answer import ReviewAnswer, ReviewCandidate, ReviewPage
from serve_app.domain.value_evidence import EvidenceKind
from serve_app.web.formats import Formats
from serve_app.web.invoices.view import title_of
from serve_app.web.review.coding import CodingView
from serve_app.web.review.entries import review_entries, write_entry
from serve_app.web.review.fields import (
    COLUMNS,
    DETAILS,
    HEADER,
    KEYS,
    NO_INPUTS,
    OPTIONS,
    Columns,
    Inputs,
    Kind,
    OwnInputs,
    own_inputs,
)
from serve_app.web.review.forms import rows_in
from serve_app.web.review.queue_filters import QUEUE, USUAL, QueueFilters
from serve_app.web.review.reasons import document_reasons, field_reason, lines_reason, needs_look

_CANDIDATES = 4
_SAMPLE_REASON = "Please check all values."
_TAXES = "tax_of_all_rates_tax"
"""The code of the check."""
# Of a page whose size is not known: A4.
_WIDTH, _HEIGHT = 595.0, 842.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A reading, as people write it; `is_remembered` if earlier invoices speak for it."""

    shown: str
    is_remembered: bool


_MODELS = (EvidenceKind.EXTRACTOR, EvidenceKind.VERIFIER)
_EVIDENCE = {
    EvidenceKind.SUMS: "sums",
    EvidenceKind.CODE: "code on the page",
    EvidenceKind.EINVOICE: "electronic invoice",
    EvidenceKind.HISTORY: "earlier invoices",
    EvidenceKind.PERSON: "a person",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One field with its input. `is_doubtful` if a person should look at it; `reason` says why, if more is known of the
    field than that it is not sure. `was` is what was read where a person has decided otherwise;
    `earlier` are confirmed invoices of the vendor that speak for what was read, `evidence` is what speaks for the
    value, in words."""

    name: str
    label: str
    kind: Kind
    value: str
    is_doubtful: bool
    reason: str
    was: str | None
    note: str
    candidates: Sequence[Candidate]
    earlier: Sequence[UUID] = ()
    evidence: str = ""
    options: Sequence[tuple[str, str]] = ()
    """The choices, for a field that has some."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """One page: its size in points, and its picture."""

    number: int
    width: float
    height: float
    picture: str


@dataclass(frozen=True, slots=True)
class ReviewView:
    """The screen for one invoice. `sender` is the address that can be notified of a rejection, empty if none is
    known; `choices` are those of columns that have some, by their names."""

    invoice: Invoice
    review: ReviewAnswer
    fields: Sequence[Entry]
    details: Sequence[Entry]
    own: Sequence[Entry]
    sheets: Sequence[Leaf]
    data: Mapping[str, Any]
    is_editable: bool
    filters: QueueFilters = USUAL
    next_path: str = ""
    progress: str = ""
    sender: str = ""
    coding: CodingView | None = None
    inputs: OwnInputs = NO_INPUTS
    choices: Mapping[str, Sequence[str]] = field(default_factory=dict)
    keys = KEYS

    @property
    def tables(self) -> Mapping[str, Columns]:
        """The columns of each table."""
        return self.inputs.tables

    def is_doubtful(self, number: int, column: str) -> bool:
        """Whether a person should look at an own field of a line, counted from 0."""
        lines = self.invoice.line_items
        value = lines[number].custom.get(own_name(column)) if number < len(lines) else None
        if value is None or not self.is_open or value.source is FieldSource.PERSON:
            return False
        return value.is_missing or (value.value is not None and value.confidence is not Confidence.HIGH)

    @property
    def title(self) -> str:
        return title_of(self.invoice)

    @property
    def is_open(self) -> bool:
        return self.review.status is ReviewStatus.OPEN

    @property
    def details_are_open(self) -> bool:
        """Whether one of the further fields needs a look."""
        return self.is_open and any(entry.is_doubtful for entry in self.details)

    @property
    def rows(self) -> Mapping[str, Sequence[Mapping[str, str]]]:
        """The texts of the cells of each table."""
        return {table: self.data["entries"][table] for table in COLUMNS}

    @property
    def remembers(self) -> bool:
        """Whether earlier invoices of the vendor speak for a value."""
        return any(entry.earlier for entry in (*self.fields, *self.details, *self.own))

    @property
    def lines_reason(self) -> str:
        """Why the lines should be looked at; empty if nothing is known that concerns them alone."""
        table = self.review.line_items
        return lines_reason(table.doubt) if self.is_open and table.decision is None else ""

    @property
    def banner(self) -> Mapping[str, str]:
        """What concerns the document as a whole, by the name of what it is about."""
        if not self.is_open:
            return {}
        if self.invoice.auto_verified:
            return {"sample": _SAMPLE_REASON}
        return {str(code): text for code, text in document_reasons(self.review).items()}

    @property
    def taxes_miss(self) -> bool:
        """Whether the tax of all rates is not the tax of the invoice."""
        return any(check.code == _TAXES and not check.holds for check in self.review.checks)

    @property
    def path(self) -> str:
        return f"{QUEUE}/{self.invoice.id}{self.filters.state}"

    @property
    def cut_path(self) -> str:
        is_pdf = self.invoice.file.mime_type == "application/pdf"
        return f"/app/review/{self.invoice.id}/cut" if is_pdf and self.is_editable else ""

    def with_texts(self, texts: Mapping[str, str]) -> "ReviewView":
        """With what somebody has entered, which could not be saved."""

        def entered(entries: Sequence[Entry]) -> list[Entry]:
            return [replace(entry, value=texts.get(entry.name, entry.value)) for entry in entries]

        rows = {table: rows_in(texts, table, self.inputs) or self.rows[table] for table in COLUMNS}
        data = {**self.data, "entries": {**self.data["entries"], **rows}}
        return replace(
            self, fields=entered(self.fields), details=entered(self.details), own=entered(self.own), data=data
        )


def review_view(
    invoice: Invoice,
    review: ReviewAnswer,
    formats: Formats,
    person: str,
    own_fields: Sequence[OwnField] = (),
    *,
    is_editable: bool,
) -> ReviewView:
    """The screen for an invoice and a person, whose account has these own fields."""
    currency = review.fields["currency"].value
    fields = [_entry(name, HEADER[name], review, formats, currency) for name in HEADER]
    if invoice.auto_verified and review.status is ReviewStatus.OPEN:
        # One of a random sample: what the models think of it must not show.
        fields = [replace(entry, is_doubtful=not entry.note, reason="", evidence="") for entry in fields]
    details = [_entry(name, DETAILS[name], review, formats, currency) for name in DETAILS]
    inputs = own_inputs(own_fields)
    of_invoice = [each for each in own_fields if each.scope is OwnFieldScope.HEADER]
    own = [_own_entry(each, inputs.fields, review, formats) for each in of_invoice]
    choices = {own_field_name(each.name): each.choices for each in own_fields if each.choices}
    sheets = [_leaf(invoice, page) for page in review.pages or [ReviewPage(page=1, width=None, height=None)]]
    data = review.model_dump(mode="json") | {
        "person": person,
        "first_page": _first_page(review, [*fields, *details, *own]),
    }
    data["pages"] = [{"page": sheet.number} for sheet in sheets]
    data |= {"entries": review_entries(review, formats, inputs), "notation": formats.notation.data}
    return ReviewView(invoice, review, fields, details, own, sheets, data, is_editable, inputs=inputs, choices=choices)


def _own_entry(own: OwnField, inputs: Inputs, review: ReviewAnswer, formats: Formats) -> Entry:
    name = own_field_name(own.name)
    entry = _entry(name, inputs[name], review, formats, None)
    is_missing = own.required and entry.value == "" and not entry.note
    reason = "The account requires this value." if is_missing else entry.reason
    options = (("", "unknown"), *((choice, choice) for choice in own.choices)) if own.choices else ()
    has_candidates = bool(entry.candidates) and not entry.note
    return replace(entry, is_doubtful=entry.is_doubtful or is_missing or has_candidates, reason=reason, options=options)


def _entry(name: str, said: tuple[str, Kind], review: ReviewAnswer, formats: Formats, currency: str | None) -> Entry:
    field = review.fields[name]
    label, kind = said
    return Entry(
        name=name,
        label=label,
        kind=kind,
        value=write_entry(kind, field.value, formats, currency),
        is_doubtful=needs_look(field),
        reason=field_reason(name, review, lambda value: _unbroken(kind, shown(kind, value, formats, currency))),
        was=shown(kind, field.read, formats, currency) if field.corrected else None,
        note=f"{field.decision.by} decided" if field.decision else "",
        candidates=[_candidate(kind, each, formats, currency) for each in field.candidates[:_CANDIDATES]],
        earlier=field.earlier,
        evidence=_evidence(field.evidence),
        options=OPTIONS if kind is Kind.CHOICE else (),
    )


def _evidence(kinds: Sequence[EvidenceKind]) -> str:
    readings = {1: ["one reading"], 2: ["two readings"]}.get(sum(kind in _MODELS for kind in kinds), [])
    return ", ".join([*readings, *(_EVIDENCE[kind] for kind in kinds if kind in _EVIDENCE)]).capitalize()


def _unbroken(kind: Kind, text: str) -> str:
    """A number or a day on one line."""
    return text.replace(" ", "\N{NO-BREAK SPACE}") if kind in (Kind.MONEY, Kind.NUMBER, Kind.DATE) else text


def _candidate(kind: Kind, found: ReviewCandidate, formats: Formats, currency: str | None) -> Candidate:
    return Candidate(shown(kind, found.value, formats, currency), ReadBy.MEMORY in found.sources)


def shown(kind: Kind, value: str | None, formats: Formats, currency: str | None) -> str:
    """A stored value as people write it."""
    if value is None:
        return ""
    if kind is Kind.MONEY:
        return formats.money(Decimal(value), currency)
    return formats.day(date.fromisoformat(value)) if kind is Kind.DATE else value


def _leaf(invoice: Invoice, page: ReviewPage) -> Leaf:
    picture = f"/app/invoices/{invoice.id}/pages/{page.page}.jpg"
    return Leaf(page.page, round(page.width or _WIDTH, 1), round(page.height or _HEIGHT, 1), picture)


def _first_page(review: ReviewAnswer, entries: Sequence[Entry]) -> int:
    """The page that is looked at first."""
    for entry in entries:
        citation = review.fields[entry.name].citation
        if entry.is_doubtful and citation is not None:
            return citation.page
    return 1
