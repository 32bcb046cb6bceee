"""Decimals behind a dash, a colon or the sign of the currency, and what fills up numbers without being part of them.

Texts of several words keep their length, so that every character stays in its word: NUL stands for what is left out.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from serve_app.extraction.currency.currencies import currency_of
from serve_app.extraction.knowledge import WordPattern

_DASH = r"\-–−—"
_SIGN = "€$£¥₹₺₽₩₪฿₱₫₴₦₡₲₵₾₸₼"
_GROUPED = r"\d{1,3}(?:[.,'’ ]\d{3})+"
_UNIT = rf"(?:[^\W\d_]{{1,4}}\.?|[^\W\d_]{{0,3}}[{_SIGN}])"
# What may be decimals behind a dash or a colon: "R8 513-45", "1 234:50 kr".
_ODD = re.compile(
    rf"(?:(?<![\w{_SIGN}])(?P<before>{_UNIT}) ?)?(?<![\d.,:/\-–])(?P<whole>{_GROUPED}|\d+)(?P<mark>[{_DASH}:])"
    rf"(?P<cents>\d\d)(?![\w:/.,{_DASH}])(?: ?(?P<after>{_UNIT})(?!\w))?"
)
# "192€43"
_BY_SIGN = re.compile(
    rf"(?<![\w.,])(?P<whole>\d{{1,3}}(?:[.,'’]\d{{3}})+|\d+)(?P<sign>[{_SIGN}])(?P<cents>\d\d)(?![\w.,])"
)
# For no decimals: "1,41,750/-", "850.-", "850,--", "850:-".
_NO_DECIMALS = re.compile(rf"(?<=\d)(?:/[{_DASH}=]+|[.,:][{_DASH}=]{{1,3}})(?!\w)")
# A dash right behind a number, which is a minus or stands for no decimals: "¥72,600-".
_DASHED = re.compile(
    rf"(?:(?<![\w{_SIGN}])(?P<before>{_UNIT}) ?)?(?<![\w.,/\-–])(?P<number>{_GROUPED}|\d+)(?P<cents>[.,]\d\d)?"
    rf"(?P<dash>[{_DASH}])(?![\w.,{_DASH}])(?: ?(?P<after>{_UNIT})(?!\w))?"
)
_MONEY = re.compile(rf"(?<![\w.,/\-–]){_GROUPED}[.,]\d\d(?![\w.,{_DASH}])|(?<![\w.,/\-–])\d+[.,]\d\d(?![\w.,{_DASH}])")
_SIGNED_WHOLE = re.compile(rf"[{_SIGN}] ?(?:{_GROUPED}|\d+)(?![\d.,:{_DASH}])")
# What fills up sums as on cheques: "$***5,742.66**".
_FILL = re.compile(
    rf"(?<=[{_SIGN}])(?:[*#=~]+|-{{2,}})(?=\d)|(?:[*#=~]{{2,}}|-{{3,}})(?=[{_SIGN}]?\d[\d.,'’]*[.,]\d\d(?!\d))|"
    rf"[*#=~]{{2,}}(?=[{_SIGN}]?\d[\d.,'’]*[*#=~]{{2,}})|(?<=[.,]\d\d)(?:[*#=~]+|-{{2,}})(?!\w)|(?<=\d)[*#=~]{{2,}}(?!\w)"
)
_CREDIT_NOTE = WordPattern("{documents.credit_note}")
# A longer text is a sentence, and no title.
_TITLE = 40
_MINUTES = 60
# A single number behind a currency may have a dash for another reason: "$50-75" is a range.
_TWICE = 2


@dataclass(frozen=True, slots=True)
class Habits:
    """How a document writes its sums. `odd_mark`: a dash or a colon stands before their decimals. A dash behind a sum
    stands for no decimals, and is no minus, behind whole numbers if `fills_wholes`, behind others if
    `fills_decimals`."""

    odd_mark: str = ""
    fills_wholes: bool = False
    fills_decimals: bool = False


def habits_of(runs: Sequence[str]) -> Habits:
    """The habits that the sums of a document show, given its words, those that stand close together as one text."""
    numbers = [_NO_DECIMALS.sub("", run) for run in runs if any(map(str.isdecimal, run))]
    money = sum(len(_MONEY.findall(run)) for run in numbers)
    if any(len(run) <= _TITLE and _CREDIT_NOTE.search(run) for run in runs):
        return Habits(_odd_mark(numbers, money))
    dashed = [found for run in numbers for found in _DASHED.finditer(run) if _is_sum(found)]
    whole = sum(not found["cents"] for found in dashed)
    others = any(map(_SIGNED_WHOLE.search, numbers))
    return Habits(_odd_mark(numbers, money), whole > 0 and not others, len(dashed) > whole and not money)


def _odd_mark(numbers: Sequence[str], money: int) -> str:
    """The mark before decimals that is no point and no comma, if most sums are written so, one of them beside a
    currency."""
    odd = [found for run in numbers for found in _ODD.finditer(run)]
    signed = {_plain_mark(found["mark"]) for found in odd if _is_signed(found)}
    marks = Counter(_plain_mark(found["mark"]) for found in odd if _is_signed(found) or _is_no_time(found))
    likely = (mark for mark, count in marks.most_common() if mark in signed and count >= _TWICE and count > money)
    return next(likely, "")


def _is_no_time(found: re.Match[str]) -> bool:
    """Whether a number with a colon is neither an hour with minutes nor minutes with seconds."""
    is_clock = found["whole"].isdecimal() and int(found["whole"]) < _MINUTES and int(found["cents"]) < _MINUTES
    return found["mark"] == ":" and not is_clock


def with_sign_behind(word: str) -> str:
    """A word whose decimals stand behind the sign of the currency, with the sign at its end."""
    return _BY_SIGN.sub(lambda found: f"{found['whole']}{_mark(found['whole'])}{found['cents']}{found['sign']}", word)


def with_plain_decimals(text: str, habits: Habits) -> str:
    """A text of the same length, in which decimals stand behind a point or a comma, and numbers are not filled up."""
    if not any(map(str.isdecimal, text)):
        return text
    text = _FILL.sub(_left_out, _NO_DECIMALS.sub(_left_out, text))
    for at, mark in [*_odd_marks(text, habits), *_fills(text, habits)]:
        text = f"{text[:at]}{mark}{text[at + 1 :]}"
    return text


def _odd_marks(text: str, habits: Habits) -> Iterator[tuple[int, str]]:
    """Where a text has a dash or a colon before decimals, and the mark for it."""
    for found in _ODD.finditer(text):
        mark, is_grouped = _plain_mark(found["mark"]), not found["whole"].isdecimal()
        is_money = _is_signed(found) and (mark == ":" or is_grouped)
        if is_money or mark == habits.odd_mark:
            yield found.start("mark"), _mark(found["whole"])


def _fills(text: str, habits: Habits) -> Iterator[tuple[int, str]]:
    """Where a text has a dash that stands for no decimals."""
    for found in _DASHED.finditer(text):
        is_fill = habits.fills_decimals if found["cents"] else habits.fills_wholes
        if is_fill and _is_sum(found):
            yield found.start("dash"), "\0"


def _is_sum(found: re.Match[str]) -> bool:
    return _is_signed(found) or bool(found["cents"]) or not found["number"].isdecimal()


def _is_signed(found: re.Match[str]) -> bool:
    """Whether the code or sign of a currency stands beside a number."""
    return any(mark and currency_of(mark, {}) is not None for mark in (found["before"], found["after"]))


def _mark(whole: str) -> str:
    """A decimal mark that is not the one between thousands."""
    return "," if "." in whole else "."


def _plain_mark(mark: str) -> str:
    return ":" if mark == ":" else "-"


def _left_out(found: re.Match[str]) -> str:
    return "\0" * len(found[0])
