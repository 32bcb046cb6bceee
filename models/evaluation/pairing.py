"""Match the invoices found in a file to the true ones."""

from collections.abc import Sequence

from models.evaluation.compare import is_absent, is_right
from models.evaluation.dataset import Truth
from serve_app.domain.batch import Section

# The weight of an equal value, and of a shared page.
_WEIGHTS = {"invoice_number": 5, "amount": 3, "vendor_name": 1, "issued_at": 1}
_PAGE = 1


def paired(truths: Sequence[Truth], sections: Sequence[Section]) -> dict[int, int]:
    """The index of the section matched to each truth; best matches first, every section once."""
    if len(truths) == len(sections) == 1:
        return {0: 0}
    scored = sorted(
        ((_likeness(truth, section), -abs(i - j), i, j)
         for i, truth in enumerate(truths) for j, section in enumerate(sections)),
        reverse=True,
    )  # fmt: skip
    pairs: dict[int, int] = {}
    for likeness, _, i, j in scored:
        if (likeness > 0 or len(truths) == 1) and i not in pairs and j not in pairs.values():
            pairs[i] = j
    return pairs


def _likeness(truth: Truth, section: Section) -> int:
    same = sum(
        weight
        for name, weight in _WEIGHTS.items()
        if not is_absent(truth.get(name)) and is_right(name, truth, getattr(section.extraction, name))
    )
    pages = set(truth.get("_pages", ())) & set(range(section.first_page, section.last_page + 1))
    return same + (_PAGE if pages else 0)
