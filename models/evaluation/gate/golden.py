"""Documents that every model has to read tolerably: generated ones, of layouts that the bundled models never saw."""

from collections.abc import Iterator
from pathlib import Path

from models.evaluation.dataset import Case, Truth
from models.training.generator import generate_validation
from models.training.sample import Sample
from serve_app.domain.document import Document

SET = "golden"
COUNT = 80
_VALUES = ("invoice_number", "amount", "currency", "issued_at", "due_at", "tax")


def golden(count: int = COUNT) -> Iterator[tuple[Case, Document]]:
    """The documents with their truth; the same ones each time. Pages that are no invoice are left out."""
    seed, found = 0, 0
    while found < count:
        sample = generate_validation(seed)
        seed += 1
        if sample.is_invoice:
            found += 1
            yield Case(SET, Path(f"{sample.family}-{seed}"), (truth_of(sample),), kind=SET), sample.document


def truth_of(sample: Sample) -> Truth:
    """What is printed on a generated document."""
    read = sample.truth.model_dump(mode="json")
    rows = [{name: row[name] for name in ("description", "quantity", "unit_price")} for row in read["line_items"]]
    return {
        "vendor_name": read["vendor_name"],
        "_vendor_alt": [sample.brand] if sample.brand else [],
        **{name: read[name] for name in _VALUES},
        # Where no currency is printed, that of the country may be given.
        "_not_printed": [] if read["currency"] else ["currency"],
        "line_items": rows,
    }
