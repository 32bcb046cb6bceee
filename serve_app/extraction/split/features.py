"""Numbers that indicate whether a page begins an invoice, continues one, or belongs to none."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from math import log1p

import numpy as np
import numpy.typing as npt

from serve_app.domain.labels import Label
from serve_app.extraction.split.facts import PageFacts

# A value on a page counts as seen from this probability on.
SEEN = 0.4
# It is sure of a value from this probability on.
SURE = 0.9
# A page of no invoice names its issuer from this probability on.
_NAMED = 0.5
# Pages with fewer words are sheets between documents, or the last lines of one.
FEW_WORDS = 15
# Codes of this many digits are rather identifiers (taxes, accounts, telephones) than prices.
_LONG_CODE = 7
# A sheet is compared with at most this many others.
_MOST_SHEETS = 50
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
    """Shape (pages, features): every page by itself, compared with the one before it and with the last values before
    it, in a file of which some things are on all pages and so tell nothing."""
    memory, before, rows = Memory(), None, []
    whole, shared = _of_file(pages), _shared(pages)
    for index, page in enumerate(pages):
        after = pages[index + 1] if index + 1 < len(pages) else None
        against = [*_against(page, before), *_apart_from(page, before, shared), *_around(page, before, after)]
        rows.append([*_alone(page), *against, *_remembered(page, memory), _duplicate_share(page, pages), *whole])
        memory, before = memory.after(page), page
    return np.array(rows, dtype=np.float64)


def may_begin(page: PageFacts, earlier: Sequence[PageFacts]) -> bool:
    """Whether a page behind others may begin an invoice: it has a title, number, date or sum of one. Behind a page with
    a number, a sum says nothing: slips and details repeat it."""
    if _completes(page, earlier[-1]):
        return False
    if page.is_titled:
        return True
    if page.runs_on or _repeats(page, earlier[-1]):
        return False
    if any(map(_has_number, earlier)) and not _has_number(page):
        return states_invoice(page) and (_has_another_day(page, earlier) or _has_another_issuer(page, earlier))
    return states_invoice(page)


def _completes(page: PageFacts, before: PageFacts) -> bool:
    """Whether a page has no other day than the one before it and, without a title, repeats its sum, or gives the number
    that it lacks, but neither sum nor rows."""
    if page.date not in (None, before.date):
        return False
    if not page.is_titled and not page.sums.isdisjoint(before.sums):
        return True
    is_number_missing = _has_number(page) and not _has_number(before) and bool(before.sums)
    return is_number_missing and page.date is None and not page.sums and not page.rows


def _repeats(page: PageFacts, before: PageFacts) -> bool:
    """Whether both pages have the same number and the same day."""
    both = page.number_text, page.date
    return None not in both and both == (before.number_text, before.date)


def must_begin(page: PageFacts, earlier: Sequence[PageFacts]) -> bool:
    """Whether a page behind others begins an invoice if it is of one at all: it has a title, a sum, a date, and surely
    another issuer."""
    return is_whole(page) and page.date is not None and _has_another_issuer(page, earlier)


def is_of_other(page: PageFacts, earlier: Sequence[PageFacts]) -> bool:
    """Whether a page behind others belongs to no invoice: it has rows of another issuer, but no title, number, date or
    sum of an invoice, as a price list has."""
    is_named = page.vendor is not None and page.vendor.score >= _NAMED
    return page.rows > 0 and not states_invoice(page) and is_named and not _is_known(page, earlier)


def is_whole(page: PageFacts) -> bool:
    """Whether a page has a title, a sum, and a number or date."""
    return page.is_titled and sum_strength(page) > SEEN and (page.date is not None or _has_number(page))


def states_invoice(page: PageFacts) -> bool:
    """Whether a page has a title, number, date or sum of an invoice."""
    return page.is_titled or _has_number(page) or page.date is not None or sum_strength(page) > SEEN


def _has_number(page: PageFacts) -> bool:
    return page.number is not None and page.number.score >= SEEN


def _has_another_day(page: PageFacts, earlier: Sequence[PageFacts]) -> bool:
    return page.date is not None and all(page.date != other.date for other in earlier)


def _has_another_issuer(page: PageFacts, earlier: Sequence[PageFacts]) -> bool:
    """Whether page and earlier ones are sure of their issuers, and none of those prints most of its name."""
    return is_sure_of_issuer(page) and not _is_known(page, earlier)


def _is_known(page: PageFacts, earlier: Sequence[PageFacts]) -> bool:
    """Whether one of the earlier pages that are sure of their issuers, or there is none, has a page's issuer or prints
    most of the name, or the page most of theirs."""
    known = [other for other in earlier if is_sure_of_issuer(other)]
    return not known or any(
        page.vendor_text == other.vendor_text
        or max(named_share(page.vendor_text, other.text), named_share(other.vendor_text, page.text)) > 0.5
        for other in known
    )


def is_sure_of_issuer(page: PageFacts) -> bool:
    """Whether the models surely see who issued a page."""
    return page.vendor is not None and page.vendor.score >= SURE


def _of_file(pages: Sequence[PageFacts]) -> list[float]:
    """How many pages the file has, how many look like whole invoices, and how many values they give."""
    full = [page for page in pages if page.words >= FEW_WORDS] or pages
    numbers = [page.number_text for page in full if page.number is not None and page.number.score >= SEEN]
    vendors = [page.vendor_text for page in full if page.vendor is not None and page.vendor.score >= SEEN]
    return [
        log1p(len(pages)) / 3,
        sum(page.is_titled for page in full) / len(full),
        sum(sum_strength(page) > SEEN for page in full) / len(full),
        len(numbers) / len(full),
        len(set(numbers)) / max(1, len(numbers)),
        len(set(vendors)) / max(1, len(vendors)),
    ]


def _shared(pages: Sequence[PageFacts]) -> frozenset[str]:
    """The words that every page has, such as the customer, the order and the platform that it was placed on."""
    full = [page.text for page in pages if page.words >= FEW_WORDS]
    return frozenset.intersection(*full) if len(full) > 1 else frozenset()


def _apart_from(page: PageFacts, before: PageFacts | None, shared: frozenset[str]) -> list[float]:
    """How alike two pages are, apart from what all pages share."""
    if before is None:
        return [0.0] * 6
    codes, others = _long(page.codes), _long(before.codes)
    return [
        _likeness(page.head - shared, before.head - shared),
        _likeness(page.foot - shared, before.foot - shared),
        _likeness(page.text - shared, before.text - shared),
        _likeness(codes - shared, others - shared),
        log1p(len(codes - others)),
        float(page.number_text is not None and page.number_text in before.codes),
    ]


def _around(page: PageFacts, before: PageFacts | None, after: PageFacts | None) -> list[float]:
    """Whether the neighbours of a page are sheets or begin an invoice, and whether it names the issuer before it."""
    return [
        float(before is not None and before.words < FEW_WORDS),
        named_share(page.vendor_text, before.text) if before is not None else 0.0,
        named_share(before.vendor_text, page.text) if before is not None else 0.0,
        float(after is None),
        float(after is not None and after.is_titled),
        float(after is not None and after.words < FEW_WORDS),
    ]


def named_share(vendor: str | None, text: frozenset[str]) -> float:
    """The share of the words of a name that a page has."""
    words = vendor.split() if vendor else []
    return sum(word in text for word in words) / len(words) if words else 0.0


def _duplicate_share(page: PageFacts, pages: Sequence[PageFacts]) -> float:
    """How alike the likest other page is to one of few words: sheets between documents are all the same."""
    if page.words >= FEW_WORDS:
        return 0.0
    others = islice((other for other in pages if other is not page and other.words < FEW_WORDS), _MOST_SHEETS)
    return max((_likeness(page.text, other.text) for other in others), default=0.0)


def _long(codes: frozenset[str]) -> frozenset[str]:
    return frozenset(code for code in codes if sum(map(str.isdigit, code)) >= _LONG_CODE)


def sum_strength(page: PageFacts) -> float:
    """How surely the models see a sum to be paid on a page."""
    return max(page.strength[Label.TOTAL], page.strength[Label.AMOUNT_DUE])


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
        float(page.words < FEW_WORDS),
        float(page.is_titled),
        float(page.is_titled_otherwise),
        float(page.is_carried),
        sum_strength(page),
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
        sum_strength(before),
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
