"""A review, put together for a person."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from serve_app.domain.evidence import Evidence, FieldEvidence, PageWords, ReadBy, fractions
from serve_app.domain.invoice import Citation, CustomValue, Invoice
from serve_app.domain.own_field import OwnField, OwnFieldScope
from serve_app.domain.own_values import own_field_name
from serve_app.domain.provenance import confidence_of
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.review import Decision, ReadValue
from serve_app.domain.review_answer import (
    FieldDecision,
    PageAnswer,
    PageWord,
    ReviewAnswer,
    ReviewCandidate,
    ReviewCheck,
    ReviewDoubt,
    ReviewField,
    ReviewHistory,
    ReviewPage,
    ReviewReader,
    ReviewRow,
    ReviewTable,
    ReviewTaxRow,
    ReviewTaxTable,
)
from serve_app.domain.review_fields import CORRECTABLE, citation_of, same, value_of
from serve_app.domain.review_tables import LINE_ITEMS, TAX_LINES
from serve_app.domain.sums import Check, checks_of
from serve_app.domain.value_evidence import evidence_for

_NOTHING = FieldEvidence()
_NOTHING_FOUND: Mapping[str, CustomValue] = {}


def answer_of(
    record: InvoiceRecord,
    evidence: Evidence,
    now: datetime,
    own_fields: Sequence[OwnField] = (),
    found: Mapping[str, CustomValue] = _NOTHING_FOUND,
) -> ReviewAnswer:
    """Everything that is known about the invoice of this record. `own_fields` are those of its account; `found` is what
    would be found of them now, by their names."""
    review, verdict = record.review, record.review.verdict
    lease = None if record.lease is None or record.lease.is_over(now) else record.lease
    return ReviewAnswer(
        id=record.invoice.id,
        revision=record.review_revision,
        status=verdict.status,
        by=verdict.by,
        at=verdict.at,
        reason=verdict.reason,
        fields={name: _field(record, name, evidence.fields.get(name, _NOTHING)) for name in CORRECTABLE}
        | {own_field_name(name): _own_field(record, name, found) for name in _own_names(record, own_fields)},
        line_items=_lines(record, evidence.fields.get(LINE_ITEMS, _NOTHING)),
        tax_lines=_taxes(record, evidence.fields.get(TAX_LINES, _NOTHING)),
        checks=[_check(check) for check in checks_of(record.invoice)],
        pages=_pages(record.invoice, evidence),
        history=ReviewHistory(undo=review.undoable, redo=review.redoable),
        opened_by=None if lease is None else ReviewReader(name=lease.reader.name, until=lease.until),
        assignee=record.assignee,
    )


def page_answer(invoice: Invoice, evidence: Evidence, number: int, picture: str) -> PageAnswer:
    """A page of the invoice, which has it."""
    seen = next((page for page in evidence.pages if page.page == number), None)
    if seen is None:
        return PageAnswer(page=number, width=None, height=None, picture=picture, words=[])
    return PageAnswer(page=number, width=seen.width, height=seen.height, picture=picture, words=list(_words(seen)))


def _words(page: PageWords) -> Iterator[PageWord]:
    for index, text in enumerate(page.words):
        score = page.scores[index] / 100 if page.scores else None
        yield PageWord(text=text, box=fractions(page.boxes[4 * index : 4 * index + 4]), score=score)


def _field(record: InvoiceRecord, name: str, seen: FieldEvidence) -> ReviewField:
    invoice, decision = record.invoice, record.review.decisions.get(name)
    read = _read(record, name)
    citation = citation_of(invoice, name)
    return ReviewField(
        value=value_of(invoice, name),
        read=read.value,
        corrected=decision is not None and not same(name, decision.value, read.value),
        decision=_field_decision(decision),
        confidence=confidence_of(invoice, name),
        citation=citation if isinstance(citation, Citation) else None,
        doubt=_doubt(seen),
        candidates=[
            ReviewCandidate(
                value=each.value,
                text=each.text,
                sources=list(each.sources),
                score=each.score,
                citation=each.citation,
            )
            for each in seen.candidates
        ],
        earlier=[UUID(each) for each in seen.earlier],
        evidence=evidence_for(invoice, name, seen, is_decided=decision is not None),
    )


def _own_names(record: InvoiceRecord, own_fields: Sequence[OwnField]) -> list[str]:
    """Those of whole invoices: those of the account, then those that the invoice alone still has."""
    of_account = (field.name for field in own_fields if field.scope is OwnFieldScope.HEADER)
    return list(dict.fromkeys([*of_account, *record.invoice.custom]))


def _own_field(record: InvoiceRecord, name: str, found: Mapping[str, CustomValue]) -> ReviewField:
    """With the value that is found now as a candidate, if the invoice has another one or none."""
    field = _field(record, own_field_name(name), _NOTHING)
    now = found.get(name, CustomValue())
    if now.value is None or now.citation is None or now.value == field.value:
        return field
    candidate = ReviewCandidate(
        value=now.value,
        text=now.citation.text,
        sources=[ReadBy.MEMORY],
        score=now.score or 0.0,
        citation=now.citation,
    )
    return field.model_copy(update={"candidates": [candidate]})


def _lines(record: InvoiceRecord, seen: FieldEvidence) -> ReviewTable:
    value, read = _placed_rows(record, LINE_ITEMS)
    return ReviewTable(
        value=[
            ReviewRow(**{**row, "custom": item.custom})
            for row, item in zip(value, record.invoice.line_items, strict=True)
        ],
        read=[ReviewRow(**row) for row in read],
        **_said_of_table(record, LINE_ITEMS, seen),
    )


def _taxes(record: InvoiceRecord, seen: FieldEvidence) -> ReviewTaxTable:
    value, read = _placed_rows(record, TAX_LINES)
    return ReviewTaxTable(
        value=[ReviewTaxRow(**row) for row in value],
        read=[ReviewTaxRow(**row) for row in read],
        **_said_of_table(record, TAX_LINES, seen),
    )


def _placed_rows(record: InvoiceRecord, table: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The rows as they are now, and as they were read; each with its place."""
    invoice, read = record.invoice, _read(record, table)
    value = _with_places(value_of(invoice, table), citation_of(invoice, table))
    return value, _with_places(read.value, read.citation)


def _said_of_table(record: InvoiceRecord, table: str, seen: FieldEvidence) -> dict[str, Any]:
    decision, read = record.review.decisions.get(table), _read(record, table)
    return {
        "corrected": decision is not None and not same(table, decision.value, read.value),
        "decision": _field_decision(decision),
        "confidence": confidence_of(record.invoice, table),
        "doubt": _doubt(seen),
    }


def _read(record: InvoiceRecord, name: str) -> ReadValue:
    known = record.review.read.get(name)
    return known or ReadValue(value=value_of(record.invoice, name), citation=citation_of(record.invoice, name))


def _with_places(
    rows: Sequence[Mapping[str, Any]], citations: Citation | list[Citation] | None
) -> list[dict[str, Any]]:
    places = citations if isinstance(citations, list) and len(citations) == len(rows) else [None] * len(rows)
    return [{**row, "citation": place} for row, place in zip(rows, places, strict=True)]


def _field_decision(decision: Decision | None) -> FieldDecision | None:
    return None if decision is None else FieldDecision(by=decision.by, at=decision.at)


def _doubt(seen: FieldEvidence) -> ReviewDoubt | None:
    return None if seen.doubt is None else ReviewDoubt(code=seen.doubt.code, text=seen.doubt.text)


def _check(check: Check) -> ReviewCheck:
    text = f"{check.left} {check.found:,f}, {check.right} {check.expected:,f}"
    if not check.holds:
        text += f": {abs(check.difference):,f} too {'much' if check.difference > 0 else 'little'}"
    code = f"{check.left} {check.right}".lower().replace(" ", "_")
    return ReviewCheck(code=code, text=f"{text}.", holds=check.holds, difference=format(check.difference, "f"))


def _pages(invoice: Invoice, evidence: Evidence) -> list[ReviewPage]:
    if evidence.pages:
        return [ReviewPage(page=page.page, width=page.width, height=page.height) for page in evidence.pages]
    return [ReviewPage(page=number, width=None, height=None) for number in range(1, (invoice.pages or 0) + 1)]
