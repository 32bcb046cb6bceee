"""Keys by which a stated text and a printed one are the same value, or not."""

import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Self

from serve_app.domain.labels import Label
from serve_app.extraction.currency.currencies import currency_of, uses_three_decimals
from serve_app.extraction.dates.dates import Order, find_dates
from serve_app.extraction.notation.numbers import Style, decimal_style, parse_number
from serve_app.extraction.notation.plain import plain
from serve_app.extraction.parties.names import normal_name, normal_number, printed_number

Keys = frozenset[Hashable]
NOTHING: Keys = frozenset()

_AROUND = " \t:;,.|*#()[]\"'"
_NOT_LETTERS = re.compile(r"[\W_]+")
# These have three decimals in any currency.
_COUNTS = frozenset({Label.LINE_QUANTITY, Label.LINE_UNIT_PRICE})
# What is taken off a sum is printed with and without its sign.
_UNSIGNED = frozenset({Label.DISCOUNT, Label.PAID})


@dataclass(frozen=True, slots=True)
class Notation:
    """How a document writes numbers: its decimal mark, and whether its currency has three decimals."""

    style: Style = Style.POINT
    has_thousandths: bool = False

    @classmethod
    def of(cls, words: Iterable[str]) -> Self:
        """That of a document with these words."""
        texts = list(words)
        return cls(decimal_style(texts), uses_three_decimals(texts))


def keys_of(label: Label, text: str, notation: Notation) -> Keys:
    """The keys of a text: two texts state the same value of `label` if they share one. Empty: the text is no value.

    Numbers, dates and identifiers are compared exactly; names without case, accents, punctuation and legal form. A
    date whose day and month may be exchanged has a key for each order.
    """
    return _KEYS.get(label, _number)(label, text, notation)


def days_of(text: str) -> Mapping[Order, date]:
    """The day that a text states, by each order of day and month. Empty unless it states a single one."""
    found = find_dates(text)
    days = {order: found[0].value(order) for order in Order} if len(found) == 1 else {}
    return {order: day for order, day in days.items() if day is not None}


def number_key(label: Label, number: Decimal) -> Decimal:
    """The key of a number."""
    return abs(number) if label in _UNSIGNED else number


def _number(label: Label, text: str, notation: Notation) -> Keys:
    may_have_thousandths = notation.has_thousandths or label in _COUNTS
    number = parse_number(text, notation.style, thousandths=may_have_thousandths)
    return NOTHING if number is None else frozenset({number_key(label, number)})


def _date(_: Label, text: str, __: Notation) -> Keys:
    return frozenset(days_of(text).items())


def _identifier(_: Label, text: str, __: Notation) -> Keys:
    whole = text.strip(_AROUND)
    # A caption before it goes; what would change the number itself does not.
    bare = printed_number(whole)
    found = {normal_number(each) for each in (whole, bare) if each in whole}
    return frozenset(key for key in found if any(map(str.isdigit, key)))


def _name(_: Label, text: str, __: Notation) -> Keys:
    key = "".join(normal_name(text).split())
    return frozenset({key}) if any(map(str.isalnum, key)) else NOTHING


def _description(_: Label, text: str, __: Notation) -> Keys:
    key = _NOT_LETTERS.sub("", plain(text))
    return frozenset({key}) if key else NOTHING


def _currency(_: Label, text: str, __: Notation) -> Keys:
    found = currency_of(text, {})
    return frozenset({found}) if found else NOTHING


_KEYS: Mapping[Label, Callable[[Label, str, Notation], Keys]] = {
    Label.SELLER: _name,
    Label.BUYER: _name,
    Label.INVOICE_NUMBER: _identifier,
    Label.OTHER_NUMBER: _identifier,
    Label.ISSUE_DATE: _date,
    Label.DUE_DATE: _date,
    Label.OTHER_DATE: _date,
    Label.CURRENCY: _currency,
    Label.LINE_DESCRIPTION: _description,
}
