"""Labelled documents (docs/how-to/train-models.md) as cases: their values are the truth."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from models.evaluation.dataset import Case, Truth
from models.training.questions import printed_names
from models.training.real import RealDocument

# Kinds of documents that ask for money, or say that it was paid.
_INVOICES = frozenset({"invoice", "receipt", "credit_note"})
# Some sources label sums and tables incompletely: what is labelled is the truth, anything else is unknown.
_KEYS = ("vendor_name", "invoice_number", "amount", "currency", "issued_at", "due_at", "tax", "line_items")
_CELLS = ("description", "quantity", "unit_price")


def case_of(document: RealDocument) -> Case:
    """The case of a labelled document; an issuer's name as printed on the page is also accepted."""
    is_invoice = document.document_type in _INVOICES
    return Case(
        set=document.source,
        path=Path(document.id),
        truths=(_truth(document),) if is_invoice else (),
        kind=document.kind,
        expect=None if is_invoice else "no invoice",
        group=f"{document.source}/{document.issuer}",
        source=document.source.partition("_")[0],
    )


def _truth(document: RealDocument) -> Truth:
    truth: Truth = {key: document.values[key] for key in _KEYS if key in document.values}
    if not _is_whole(truth.get("line_items", [])):
        truth.pop("line_items", None)
    names = printed_names(document.document.pages, document.tags)
    return {**truth, "doc_type": document.document_type, "_vendor_alt": names}


def _is_whole(rows: Sequence[Mapping[str, object]]) -> bool:
    """Whether a table can be judged: it has rows, and each is labelled with all its cells."""
    return bool(rows) and all(row.get(cell) is not None for row in rows for cell in _CELLS)
