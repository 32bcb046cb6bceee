"""Numbers that indicate whether a page begins an invoice, continues one, or belongs to none."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log1p

import numpy as np
import numpy.typing as npt

from serve_app.domain.labels import Label
from serve_app.extraction.split.facts import PageFacts

# A value on a page counts as seen from this probability on.
SEEN = 0.4
_STRENGTHS = (
    Label.SELLER,
    Label.BUYER,
    Label.INVOICE_NUMBER,
    Label.ISSUE_DATE,
    Label.DUE_DATE,
    Label.TOTAL,
    Label.AMOUNT_DUE,
    Label.SUBTOTAL,
    Label.TAX,
    Label.LINE_DESCRIPTION,
    Label.LINE_TOTAL,
    Label.OTHER_NUMBER,
)


@dataclass(frozen=True, slots=True)
class Memory:
    """The last values on the pages before this one."""

    number: str | None = None
    vendor: str | None = None
    date: str | None = None

    def after(self, page: PageFacts) -> "Memory":
        number_seen = page.number is not None and page.number.score >= SEEN
        vendor_seen = page.vendor is not None and page.vendor.score >= SEEN
        return Memory(
            page.number_text if number_seen else self.number,
            page.vendor_text if vendor_seen else self.vendor,
            page.date or self.date,
        )


def feature_matrix(pages: Sequence[PageFacts]) -> npt.NDArray[np.float64]:
    """Shape (pages, features): every page compared with the one before it and with the last values before it."""
    memory, before, rows = Memory(), None, []
    for page in pages:
        rows.append([*_alone(page), *_against(page, before), *_remembered(page, memory)])
        memory, before = memory.after(page), page
    return np.array(rows, dtype=np.float64)


def _alone(page: PageFacts) -> list[float]:
    number = page.page_number
    strengths = [page.strength[label] for label in _STRENGTHS]
    return [
        *strengths,
        float(number is not None and number.number == 1),
        float(number is not None and number.number > 1),
        float(number is not None and number.of == 1),
        float(number is not None and number.of is not None and number.of > 1),
        log1p(page.rows),
        log1p(page.words) / 5,
        float(page.words < 15),
        float(page.is_titled),
        float(page.is_titled_otherwise),
        float(page.is_carried),
        max(page.strength[Label.TOTAL], page.strength[Label.AMOUNT_DUE]),
        float(sum(value > SEEN for value in strengths[:7])) / 7,
    ]


def _against(page: PageFacts, before: PageFacts | None) -> list[float]:
    if before is None:
        return [1.0] + [0.0] * 15
    one, other = before.page_number, page.page_number
    return [
        0.0,
        float(one is not None and other is not None and other.number == one.number + 1 and other.of == one.of),
        float(one is not None and one.of is not None and one.number >= one.of),
        float(one is not None and one.of is not None and one.number < one.of),
        float(one is not None and other is not None and other.number <= one.number),
        float((one is None) != (other is None)),
        _likeness(page.head, before.head),
        _likeness(page.foot, before.foot),
        _likeness(page.codes, before.codes),
        float(_same_size(page.size, before.size)),
        min(page.height, before.height) / max(page.height, before.height, 1e-6),
        max(before.strength[Label.TOTAL], before.strength[Label.AMOUNT_DUE]),
        log1p(before.rows),
        float(before.rows > 0 and page.rows > 0),
        float(before.is_carried),
        float(before.is_titled),
    ]


def _remembered(page: PageFacts, memory: Memory) -> list[float]:
    number, vendor = page.number, page.vendor
    return [
        *_agreement(page.number_text, memory.number, number.score if number else 0.0),
        *_agreement(page.vendor_text, memory.vendor, vendor.score if vendor else 0.0),
        *_agreement(page.date, memory.date, 1.0 if page.date else 0.0),
        float(memory.number is not None and memory.number in page.codes),
        float(memory.number is None),
    ]


def _agreement(value: str | None, remembered: str | None, score: float) -> tuple[float, float]:
    """How strongly the page repeats the earlier value, and how strongly it gives another one."""
    if value is None or remembered is None:
        return 0.0, 0.0
    return (score, 0.0) if value == remembered else (0.0, score)


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """Jaccard's index: the share of all words that both have."""
    every = one | other
    return len(one & other) / len(every) if every else 0.0


def _same_size(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return abs(one[0] - other[0]) < 3 and abs(one[1] - other[1]) < 3
