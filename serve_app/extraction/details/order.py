"""The number of the buyer's order."""

import re
from collections.abc import Iterator, Sequence

from serve_app.domain.labels import Label
from serve_app.extraction.candidates.candidate import Candidate, Place
from serve_app.extraction.captions import Caption
from serve_app.extraction.dates.dates import find_dates
from serve_app.extraction.details.found import Found
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.parties.names import normal_number, printed_number

_NUMBER = re.compile(r"[\w./#-]{3,}")


def purchase_order(pages: Sequence[PageEvidence], number: Candidate[str] | None) -> Found[str] | None:
    """The number after or below a caption of an order; never the invoice's own `number`. One after its caption is
    preferred to one below, and the first of several counts.
    """
    invoice = normal_number(number.value) if number else ""
    found = [entry for entry in _captioned(pages) if normal_number(entry[1].value) != invoice]
    return min(found, key=lambda entry: entry[0])[1] if found else None


def _captioned(pages: Sequence[PageEvidence]) -> Iterator[tuple[bool, Found[str]]]:
    """Each number, and whether it is only below the caption."""
    for at, page in enumerate(pages):
        for index, word in enumerate(page.page.words):
            text = printed_number(word.text)
            is_number = _NUMBER.fullmatch(text) and any(map(str.isdigit, text)) and not find_dates(text)
            if is_number and page.is_printed((index,)):
                captions = page.captions((index,))
                is_behind = Caption.PURCHASE_ORDER in captions.before and captions.skipped == 0
                if is_behind or (not captions.before and Caption.PURCHASE_ORDER in captions.above):
                    yield not is_behind, Found(text, Place(at, (index,)), (Label.OTHER_NUMBER,))
