"""What a confirmed invoice is known to say, in the formats of measuring and training."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from serve_app.domain.evidence import Evidence, PageWords, fractions
from serve_app.domain.invoice import Citation, Detail, Field, Invoice
from serve_app.domain.labels import UNKNOWN, Label
from serve_app.domain.review_fields import citation_of

_HEADER = ("vendor_name", "invoice_number", "amount", "currency", "issued_at", "due_at", "tax")
_LABELS: Mapping[str, Label] = {
    Field.VENDOR: Label.SELLER,
    Field.INVOICE_NUMBER: Label.INVOICE_NUMBER,
    Field.AMOUNT: Label.TOTAL,
    Field.ISSUED_AT: Label.ISSUE_DATE,
    Field.DUE_AT: Label.DUE_DATE,
    Field.TAX: Label.TAX,
    Detail.BUYER_NAME: Label.BUYER,
    Detail.PURCHASE_ORDER: Label.OTHER_NUMBER,
    Detail.SUBTOTAL: Label.SUBTOTAL,
    Detail.SHIPPING: Label.SHIPPING,
    Detail.DISCOUNT: Label.DISCOUNT,
    Detail.AMOUNT_PAID: Label.PAID,
    Detail.AMOUNT_DUE: Label.AMOUNT_DUE,
}


def truth_of(invoice: Invoice) -> dict[str, Any]:
    """The values as `invoices evaluate` reads them; null means that the document has no such value."""
    values: dict[str, Any] = invoice.model_dump(mode="json", include=set(_HEADER))
    cells = ("description", "quantity", "unit_price")
    items = [item.model_dump(mode="json") for item in invoice.line_items]
    rows = [{**{name: item[name] for name in cells}, "_total": item["total"]} for item in items]
    return {**values, "line_items": rows, "doc_type": invoice.document_type}


def labelled(invoice: Invoice, evidence: Evidence, kind: str, split: str, issuer: str) -> dict[str, Any] | None:
    """The invoice as one line for training; None if its words are not known as the models see them.

    The words at the places of confirmed values carry their labels. What the others are nobody has said.
    """
    if not evidence.pages or any(page.is_turned and page.words and not page.upright for page in evidence.pages):
        return None
    tags = [_tags(page, invoice) for page in evidence.pages]
    if all(tag == UNKNOWN for page in tags for tag in page):
        return None
    return {
        "id": str(invoice.id),
        "source": "corrections",
        "issuer": issuer,
        "kind": kind,
        "doc_type": invoice.document_type or "invoice",
        "split": split,
        "pages": [_page(page) for page in evidence.pages],
        "labels": tags,
        "values": {name: value for name, value in truth_of(invoice).items() if name in _HEADER},
    }


def _page(page: PageWords) -> dict[str, Any]:
    scores: Sequence[int] = page.scores or [100] * len(page.words)
    words = [
        {"text": text, "box": box, "confidence": score / 100}
        for text, box, score in zip(page.words, _boxes(page.upright or page.boxes), scores, strict=True)
    ]
    return {"width": page.width, "height": page.height, "words": words}


def _boxes(corners: tuple[int, ...]) -> list[tuple[float, float, float, float]]:
    return [fractions(corners[start : start + 4]) for start in range(0, len(corners), 4)]


def _tags(page: PageWords, invoice: Invoice) -> list[str]:
    tags = [UNKNOWN] * len(page.words)
    for name, label in _LABELS.items():
        citation = citation_of(invoice, name)
        if not isinstance(citation, Citation) or citation.page != page.page:
            continue
        before = None
        for index in _words_of(page, citation):
            if tags[index] == UNKNOWN:
                tags[index] = f"{'I' if before == index - 1 else 'B'}-{label}"
                before = index
    return tags


def _words_of(page: PageWords, citation: Citation) -> Sequence[int]:
    """The words that stand at the place. A box on a slanting page contains words of other lines, too: there they are
    those that make the printed text."""
    inside = list(_words_in(page, citation))
    if not page.is_turned:
        return inside
    texts, words = citation.text.split(), page.words
    runs = (inside[start : start + len(texts)] for start in range(len(inside)))
    return next((run for run in runs if texts and [words[index] for index in run] == texts), [])


def _words_in(page: PageWords, citation: Citation) -> Iterator[int]:
    x0, y0, x1, y1 = citation.box
    for index, box in enumerate(_boxes(page.boxes)):
        if x0 <= (box[0] + box[2]) / 2 <= x1 and y0 <= (box[1] + box[3]) / 2 <= y1:
            yield index
