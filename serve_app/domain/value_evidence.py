"""What speaks for the value of a field: models, sums, codes, electronic invoices, earlier invoices, people."""

from collections.abc import Iterator
from enum import StrEnum
from typing import Any

from serve_app.domain.duplicates import normalise_vendor
from serve_app.domain.embedded_data import CodeValues
from serve_app.domain.evidence import FieldEvidence, ReadBy
from serve_app.domain.invoice import Detail, Details, Field, FieldSource, Invoice
from serve_app.domain.provenance import ATTRIBUTES, provenance_of
from serve_app.domain.review_fields import value_of
from serve_app.domain.sums import checks_of


class EvidenceKind(StrEnum):
    """Who or what says the same as the invoice."""

    EXTRACTOR = "extractor"
    VERIFIER = "verifier"
    SUMS = "sums"
    CODE = "code"
    EINVOICE = "einvoice"
    HISTORY = "history"
    PERSON = "person"


_IN_SUMS: dict[str, tuple[str, ...]] = {
    "amount": (Field.AMOUNT,),
    "tax": (Field.TAX,),
    "subtotal": (Detail.SUBTOTAL,),
    "Subtotal and tax": (Detail.SUBTOTAL, Field.TAX),
    "Subtotal, shipping, discount and tax": (Detail.SUBTOTAL, Detail.SHIPPING, Detail.DISCOUNT, Field.TAX),
    "Amount less what was paid": (Field.AMOUNT, Detail.AMOUNT_PAID),
    "amount due": (Detail.AMOUNT_DUE,),
}
"""The fields in each side of a sum, by its name in `domain/sums.py`."""
_IN_CODES = frozenset(CodeValues.model_fields)


def evidence_for(invoice: Invoice, name: str, seen: FieldEvidence, *, is_decided: bool) -> list[EvidenceKind]:
    """What speaks for the value that the invoice has; nothing for none. `seen` is what a run saw, `is_decided` whether
    a person has said what the value is."""
    if value_of(invoice, name) is None:
        return []
    found = {*_of_models(invoice, name, seen), *_of_documents(invoice, name)}
    if is_decided:
        found.add(EvidenceKind.PERSON)
    return [kind for kind in EvidenceKind if kind in found]


def _of_models(invoice: Invoice, name: str, seen: FieldEvidence) -> Iterator[EvidenceKind]:
    """What a run saw for the value: for another one that a person has entered, only what it saw beside its own."""
    is_read = provenance_of(invoice, name).correction is None
    if is_read and seen.models_agree:
        yield from (EvidenceKind.EXTRACTOR, EvidenceKind.VERIFIER)
    if is_read and seen.earlier:
        yield EvidenceKind.HISTORY
    value = str(value_of(invoice, name))
    sources = {source for each in seen.candidates if each.value == value for source in each.sources}
    kinds = {ReadBy.EXTRACTOR: EvidenceKind.EXTRACTOR, ReadBy.VERIFIER: EvidenceKind.VERIFIER}
    yield from (kind for source, kind in kinds.items() if source in sources)


def _of_documents(invoice: Invoice, name: str) -> Iterator[EvidenceKind]:
    sums = [check for check in checks_of(invoice) if check.holds]
    if any(name in _IN_SUMS.get(side, ()) for check in sums for side in (check.left, check.right)):
        yield EvidenceKind.SUMS
    if any(_is_stated(code.values, invoice, name) for code in invoice.codes):
        yield EvidenceKind.CODE
    if provenance_of(invoice, name).source is FieldSource.EINVOICE:
        yield EvidenceKind.EINVOICE


def _is_stated(code: CodeValues, invoice: Invoice, name: str) -> bool:
    """Whether a code states the value."""
    value = _typed(invoice, name)
    if name == Detail.VENDOR_TAX_ID:
        return value in code.tax_ids
    attribute = ATTRIBUTES.get(name, name)
    stated = getattr(code, attribute) if attribute in _IN_CODES else None
    if name == Field.VENDOR and stated is not None:
        return normalise_vendor(stated) == normalise_vendor(str(value))
    return stated is not None and bool(stated == value)


def _typed(invoice: Invoice, name: str) -> Any:
    holder = invoice if name in set(Field) else invoice.details or Details()
    return getattr(holder, ATTRIBUTES.get(name, name), None)
