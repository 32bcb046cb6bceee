"""Printed numbers to `Decimal`, in the page's own notation."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache

from serve_app.extraction.currency.currencies import currency_of, uses_three_decimals


class Style(StrEnum):
    """The decimal separator of a page."""

    POINT = "."
    COMMA = ","


# Thousands may be set apart by a point, a comma, an apostrophe or a space of any width; groups of two are Indian.
_SPACE = r" \u00a0\u202f"
_WESTERN = rf"\d{{1,3}}(?:(?P<group>[.,'’`´{_SPACE}])\d{{3}})(?:(?P=group)\d{{3}})*"
_INDIAN = r"\d{1,2}(?:,\d{2})+,\d{3}"
# Tills print ".40" for 0.40; a point before any other number is a speck.
_SPECK = re.compile(r"^[.,](?!\d{2}(?![\d.,]))")
_NUMBER = re.compile(rf"(?:{_INDIAN}|{_WESTERN}|\d+)(?:[.,]\d{{1,6}})?|[.,]\d{{2}}")
_TWO_DECIMALS = re.compile(r"\d([.,])\d{2}(?!\d)")
_DECIMALS = re.compile(r"\d([.,])\d{2,3}(?![\d.,]*\d)")
# A mark is not the decimal one if this many times as many numbers group their thousands with it.
_RARELY = 5
_ENDS_IN_DECIMALS = re.compile(r"[.,]\d\d\D*$")
_THOUSANDS = re.compile(r"(?<![\d.,])[1-9]\d{0,2}([.,])\d{3}(?:\1\d{3})*(?![\d.,]*\d)")
_LEADING = re.compile(
    r"^(?P<sign>[-–−+(]?)\s*(?P<unit>[^\d\s.,\-–−(]{0,3}[^\W\d_]\.|[^\d\s.,\-–−(]{0,4})\s*"
    r"(?P<inner>[-–−]?)\s*(?P<rest>.*)$"
)
_TRAILING = re.compile(r"^(?P<number>[\d.,'’`´ \u00a0\u202f]*\d)(?P<dash>[.,][-–−]{1,2})?\s*(?P<unit>[^\d\s]{0,4}\.?)$")
# A caption without a space behind it: "Due$5,280.00", "IVA(21%):95,76€", "TotalRM21.85", "(总计)¥1440.00".
_GLUED = re.compile(
    r"^[(（][^\W\d_]{2,}[)）]:?(?=[-–−]?[$€£¥￥₹]\d)|"
    r"^[^\W\d_]{3,}(?:(?:\([\d.,]{1,5} ?%\))?(?::(?=[-–−]?[\d.,]*\d(?:[.,]\d\d$| ?[€£]$))|:?(?=[-–−]?[$€£¥₹]\d))|"
    r"(?<=[a-z])(?=[A-Z]{2,3}\d[\d.,]*[.,]\d\d$))"
)
# "1,63/jour": a price for each of something.
_PER_UNIT = re.compile(r"(?<=[\w.])\s?/\s?[^\W\d_]{1,10}\.?$")
# Tills print the code of a tax behind the sign: "1.00-F".
_MINUS_AND_CODE = re.compile(r"[\d.,]*\d[.,]\d\d[-–−][A-Z]")
# Behind an amount.
CREDIT = "CR"
_TIMES = frozenset("xX×@à")
DASHES = ("-", "–", "−")
_MINUS = frozenset((*DASHES, "("))
_WORDLIKE = re.compile(r"[^\W\d_]{5,}")


def decimal_style(texts: Iterable[str]) -> Style:
    """The style in which most numbers with two decimals are written, or with three if a currency has so many.

    If there are none to speak of, whole amounts decide by their groups of three digits ("12.100" is twelve thousand one
    hundred); otherwise it is a point.
    """
    words = list(texts)
    has_thousandths = uses_three_decimals(words)
    # Software prints rates in a notation of its own: "10.00 %" beside "1.200.000".
    words = [word for word, after in zip(words, [*words[1:], ""], strict=False) if "%" not in (word[-1:], after[:1])]
    decimals = _DECIMALS if has_thousandths else _TWO_DECIMALS
    marks = Counter(match[1] for text in words if (match := _last_decimals(text, decimals)))
    if not has_thousandths:
        marks = _without_grouping(marks, words)
    return Style.COMMA if marks[","] > marks["."] else Style.POINT


def _without_grouping(marks: Counter[str], words: Sequence[str]) -> Counter[str]:
    """How often each mark stands before decimals, without those that mostly group thousands; or, if none is left, how
    often the other mark groups them."""
    grouped = Counter(match[1] for text in words if (match := _THOUSANDS.search(text)))
    # A mark between thousands here and there ends in two digits: those of a date, or of a code.
    seen = Counter({mark: count for mark, count in marks.items() if count * _RARELY >= grouped[mark]})
    return seen or Counter({",": grouped["."], ".": grouped[","]})


def ends_in_decimals(text: str) -> bool:
    """Whether the last number of the text has two decimals, as sums of money mostly do."""
    return _ENDS_IN_DECIMALS.search(text) is not None


def _last_decimals(text: str, decimals: re.Pattern[str]) -> re.Match[str] | None:
    matches = list(decimals.finditer(text))
    return matches[-1] if matches and not _looks_like_date(text) else None


def _looks_like_date(text: str) -> bool:
    return re.fullmatch(r"\D*\d{1,2}[.]\d{1,2}[.](?:\d{2}|\d{4})?\D*", text) is not None


@lru_cache(maxsize=20_000)
def parse_number(text: str, style: Style, *, thousandths: bool = True) -> Decimal | None:
    """The number that `text` is, with sign; None if it is anything else (a date, an address, a code).

    A currency sign or a short unit may stand before or after it ("€12.00", "12,50EUR", "30 Nos", "1x"); "12.50CR" is a
    credit, and negative. Without `thousandths` it cannot have three decimals, as no sum in most currencies has:
    "12.100" is 12,100 in any style.
    """
    text = _GLUED.sub("", _PER_UNIT.sub("", text.strip().strip("*|=:;").strip()))
    leading = _LEADING.match(text)
    if leading is None or "%" in text or _WORDLIKE.search(text) or not _is_unit(leading["unit"]):
        return None
    rest = _SPECK.sub("", leading["rest"].removesuffix(")").rstrip())
    negative = leading["sign"] in _MINUS or leading["inner"] in _MINUS
    if rest[-1:] in "-–−" and rest[-2:-1].isdigit():
        negative, rest = True, rest[:-1]
    trailing = _TRAILING.match(rest)
    if trailing is None or not _NUMBER.fullmatch(trailing["number"]):
        return None
    value = _value(trailing["number"], style, thousandths)
    negative |= trailing["unit"] == CREDIT or _MINUS_AND_CODE.fullmatch(rest) is not None
    return -value if value is not None and negative else value


def _is_unit(text: str) -> bool:
    """Whether a number may follow: nothing, a sign, "x" or a currency; "INV-12" and "A12" are codes, not numbers."""
    return text in _TIMES or not any(map(str.isalpha, text)) or currency_of(text, {}) is not None


def _value(number: str, style: Style, thousandths: bool) -> Decimal | None:
    number = re.sub(r"['’`´ \u00a0\u202f]", "", number)
    if len(number) > 18:
        return None
    decimal = _decimal_separator(number, style, thousandths)
    if decimal is None:
        return Decimal(re.sub(r"[.,]", "", number))
    whole, _, fraction = number.rpartition(decimal)
    digits = re.sub(r"[.,]", "", whole)
    return Decimal(f"{digits or '0'}.{fraction}")


def _decimal_separator(number: str, style: Style, thousandths: bool) -> str | None:
    """Which separator of `number` is the decimal one; None if all of them group thousands."""
    separators = [character for character in number if character in ".,"]
    if not separators:
        return None
    last = separators[-1]
    decimals = len(number) - number.rindex(last) - 1
    if len(set(separators)) == 2:
        return last
    if len(separators) > 1:
        return None if decimals == 3 else last
    may_group = decimals == 3 and not number.startswith("0") and number.index(last) <= 3
    return None if may_group and (last != style.value or not thousandths) else last
