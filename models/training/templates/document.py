"""One labelled document in the format of real ones (docs/how-to/train-models.md)."""

from collections.abc import Sequence
from typing import Any

from models.training.templates.facts import Facts
from models.training.templates.find_facts import Found
from models.training.templates.find_values import Sheet
from models.training.templates.registry import Template
from serve_app.domain.document import Page
from serve_app.domain.labels import Label

_KEYS = {
    "seller": {Label.SELLER}, "number": {Label.INVOICE_NUMBER}, "date": {Label.ISSUE_DATE},
    "total": {Label.TOTAL, Label.AMOUNT_DUE},
}  # fmt: skip
_MOST_PAGES = 8


def lacking(template: Template, facts: Facts, found: Found) -> str | None:
    """The key value that a document should print and that was not found; None if it is fit for training."""
    labels = {label for label, _ in found.entities}
    for key, required in _KEYS.items():
        if key not in template.lacks and not labels & required:
            return key
    if "items" not in template.lacks and len(found.items) < len(facts.items):
        return "items"
    if "items" not in template.lacks and not labels & {Label.LINE_TOTAL, Label.LINE_UNIT_PRICE}:
        return "amounts"
    return None


def usable(pages: Sequence[Page]) -> bool:
    """Whether pages hold text and are not too many."""
    return 0 < len(pages) <= _MOST_PAGES and all(page.words for page in pages)


def document(
    template: Template,
    facts: Facts,
    index: int,
    kind: str,
    sheets: Sequence[Sheet],
    found: Found,
    tags: list[list[str]],
    split: str,
) -> dict[str, Any]:
    """The document as a line of the file."""
    return {
        "id": f"tmpl-{template.name}-{index}", "source": "templates", "licence": template.licence,
        "repo": template.package, "path": template.name, "kind": kind, "language": facts.language,
        "doc_type": template.doc_type, "split": split, "issuer": template.name,
        "pages": [_page(sheet.page) for sheet in sheets], "labels": tags, "values": _values(template, facts, found),
    }  # fmt: skip


def _page(page: Page) -> dict[str, Any]:
    words = [
        {"text": word.text, "box": _box(word.box.x0, word.box.y0, word.box.x1, word.box.y1)} for word in page.words
    ]
    return {"width": page.width, "height": page.height, "words": words}


def _box(*edges: float) -> list[float]:
    return [round(min(1.0, max(0.0, edge)), 5) for edge in edges]


def _values(template: Template, facts: Facts, found: Found) -> dict[str, Any]:
    """What a person reads on it. A value that a template may print but that was not found is unknown."""
    labels = {label for label, _ in found.entities}
    values: dict[str, Any] = {
        "vendor_name": facts.seller.name if Label.SELLER in labels else None,
        "invoice_number": facts.number if Label.INVOICE_NUMBER in labels else None,
        "issued_at": str(facts.issued) if Label.ISSUE_DATE in labels else None,
        "due_at": str(facts.due) if Label.DUE_DATE in labels else None,
        "amount": float(facts.total), "currency": facts.currency,
    }  # fmt: skip
    if Label.BUYER in labels:
        values["buyer_name"] = facts.buyer.name
    if Label.TAX in labels or not facts.tax:
        values["tax"] = float(facts.tax) if Label.TAX in labels else None
    if Label.SUBTOTAL in labels:
        values["subtotal"] = float(facts.subtotal)
    if "items" not in template.lacks:
        values["line_items"] = [
            {"description": item.description, "quantity": float(item.quantity), "unit_price": float(item.price),
             "total": float(item.total)}
            for item in facts.items
        ]  # fmt: skip
    return values
