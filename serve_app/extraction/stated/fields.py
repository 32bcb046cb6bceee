"""Values that a model states for the header fields, against those that were chosen."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from serve_app.domain.invoice import Field
from serve_app.domain.labels import Label
from serve_app.domain.reading import Reading, StatedValue
from serve_app.extraction.candidates.candidate import Candidate, Place
from serve_app.extraction.dates.dates import Order
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.stated.keys import Keys, Notation, days_of, keys_of, number_key

Answer = Candidate[Any]
Stated = Sequence[Sequence[StatedValue]]
"""What a model states, page by page."""

# The labels that state a field, the first that was stated at all decides: what is left to pay is not the amount.
LABELS: Mapping[Field, tuple[Label, ...]] = {
    Field.VENDOR: (Label.SELLER,),
    Field.INVOICE_NUMBER: (Label.INVOICE_NUMBER,),
    Field.AMOUNT: (Label.TOTAL, Label.AMOUNT_DUE),
    Field.CURRENCY: (Label.CURRENCY,),
    Field.ISSUED_AT: (Label.ISSUE_DATE,),
    Field.DUE_AT: (Label.DUE_DATE,),
    Field.TAX: (Label.TAX, Label.TAX_LINE),
}


def stated_of(reading: Reading) -> tuple[tuple[StatedValue, ...], ...]:
    """What a reading states, page by page."""
    return tuple(page.stated for page in reading.pages)


def contradictions(
    chosen: Mapping[Field, Answer], stated: Stated, pages: Sequence[PageEvidence]
) -> dict[Field, Answer]:
    """By field, the value that a model states instead of the chosen one.

    A model contradicts a value if it states others only, or one that no page prints.
    """
    if not any(stated):
        return {}
    notation = Notation.of(word.text for page in pages for word in page.page.words)
    found = {field: _contradiction(field, answer, stated, pages, notation) for field, answer in chosen.items()}
    return {field: answer for field, answer in found.items() if answer is not None}


def _contradiction(
    field: Field, chosen: Answer, stated: Stated, pages: Sequence[PageEvidence], notation: Notation
) -> Answer | None:
    wanted = _keys_of_chosen(field, chosen, pages, notation)
    own = list(_stated_for(field, stated, notation))
    others = [(page, each) for page, each, keys in own if not keys & wanted]
    unprinted = [(page, each) for page, each in others if not each.is_printed]
    if not others or (len(others) < len(own) and not unprinted):
        return None
    page, other = max(unprinted or others, key=lambda each: each[1].probability)
    place = Place(page, other.words) if other.words else chosen.place
    return Candidate(_value(field, other, chosen, pages, notation), other.probability, place)


def _stated_for(field: Field, stated: Stated, notation: Notation) -> Iterator[tuple[int, StatedValue, Keys]]:
    """What is stated for a field, with its page and its keys. What is no value of its kind says nothing."""
    for label in LABELS.get(field, ()):
        found = [
            (number, each, keys)
            for number, page in enumerate(stated)
            for each in page
            if each.label is label and (keys := keys_of(label, each.text, notation))
        ]
        if found:
            yield from found
            return


def _keys_of_chosen(field: Field, chosen: Answer, pages: Sequence[PageEvidence], notation: Notation) -> Keys:
    """The keys of a chosen value: of a printed name or number also as it is printed, before what OCR does to letters
    is repaired."""
    label = LABELS[field][0]
    if isinstance(chosen.value, Decimal):
        return frozenset({number_key(label, chosen.value)})
    if isinstance(chosen.value, date):
        return frozenset((order, chosen.value) for order in _orders(chosen, pages))
    if field is Field.CURRENCY:
        return frozenset({chosen.value})
    printed = pages[chosen.place.page].text(chosen.place.words)
    return keys_of(label, chosen.value, notation) | keys_of(label, printed, notation)


def _orders(chosen: Answer, pages: Sequence[PageEvidence]) -> frozenset[Order]:
    """The orders of day and month by which the printed date is the chosen one."""
    printed = days_of(pages[chosen.place.page].text(chosen.place.words))
    orders = frozenset(order for order, day in printed.items() if day == chosen.value)
    return orders or frozenset(Order)


def _value(field: Field, other: StatedValue, chosen: Answer, pages: Sequence[PageEvidence], notation: Notation) -> Any:
    """The stated value, of the type of the chosen one."""
    if isinstance(chosen.value, date):
        days, orders = days_of(other.text), _orders(chosen, pages)
        return next((day for order, day in days.items() if order in orders), next(iter(days.values())))
    if isinstance(chosen.value, Decimal) or field is Field.CURRENCY:
        return next(iter(keys_of(other.label, other.text, notation)))
    return " ".join(other.text.split())
