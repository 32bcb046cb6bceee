"""Printed dates, in the languages of Europe and some others; the whole document decides about the order of day and
month."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import lru_cache

from serve_app.extraction.dates.months import (
    day_of_persian,
    is_thai,
    month_names,
    month_of_roman,
    year_of_buddha,
    year_of_era,
    year_of_minguo,
)
from serve_app.extraction.knowledge import WordPattern, pattern_of_names
from serve_app.extraction.notation.plain import same_length_plain


class Order(StrEnum):
    """Which of the first two numbers of 03/04/2024 is the day; or that a short date begins with its year, 24/03/04."""

    DAY_FIRST = "day_first"
    MONTH_FIRST = "month_first"
    YEAR_FIRST = "year_first"


_MONTHS = month_names()


_NAME = pattern_of_names(_MONTHS)
# Of the common era or, in Thailand, of the Buddhist one, 543 years ahead.
_YEAR = r"(?P<year>(?:19|20|25(?=[4-9]))\d{2}|['’]?\d{2})"
_BUDDHIST_ERA = r"(?:พ\.?\s?ศ|b\.?e)\.?\s*"
_ORDINAL = "{*connectives.ordinals*}"
_DAY = rf"(?P<day>\d{{1,2}}){_ORDINAL}?"
_OF = r"(?:\s+{connectives.of*})?"
# The number ends here, unless a time of day is attached to it.
_END = r"(?:(?!\d)|(?=\d{1,2}:\d{2}))"
_NUMERIC = re.compile(
    rf"(?<![\d/])(?<!\d[.,])(?P<first>\d{{1,2}})(?P<sep>\s?[./\-]\s?)(?P<second>\d{{1,2}})(?P=sep){_YEAR}{_END}"
)
# Its year is no end of another date: "08.05.2025. 23.05.2025." has none.
_ISO = re.compile(
    r"(?<!\d)(?<!\d[./\-])(?P<year>(?:19|20)\d{2})\s?[./\-]\s?(?P<month>\d{1,2})\s?[./\-]\s?"
    r"(?P<day>\d{1,2})(?!\d)"
)
# A day is no end of another date or of a time: "01/26/20 January 2020" has no 20 January, "11:30 March 25 2009" no
# 30 March, the street "10 de Agosto 14/02/2024" none of 2014.
_DAY_NAME = WordPattern(
    rf"(?<!\d)(?<!\d[./\-:]){_DAY}[.,]?{_OF}[\s.\-/]*(?P<name>{_NAME})[a-z]{{0,3}}[.,]?{_OF}[\s.\-/,]*"
    rf"(?:{_BUDDHIST_ERA})?{_YEAR}(?!/\d\d?/){_END}",
    re.NOFLAG,
)
_NAME_DAY = WordPattern(
    rf"(?<![a-z])(?P<name>{_NAME})[a-z]{{0,3}}[.,]?[\s\-]*{_DAY}[\s,.\-]+(?P<year>(?:19|20)\d{{2}})(?!\d)", re.NOFLAG
)
# "Mar-05-25", "Mar 5, 25", "Mar 5 '25"; not the list "May 5, 12 and 19".
_NAME_DAY_SHORT = WordPattern(
    rf"(?<![a-z])(?P<name>{_NAME})[a-z]{{0,3}}\.?(?:-(?P<day>\d{{1,2}})-|\s(?P<day2>\d{{1,2}})(?:,\s?|\s(?=['’])))"
    r"['’]?(?P<year>\d{2})(?![\d:/.,]|\s?(?:{connectives.both|connectives.until}|[&-]))",
    re.NOFLAG,
)
# "2021 m. gruodžio 15 d.", "2024. október 9.", "2024-Oct-09"; its year ends no other date: "06/05/2024 March 3".
_YEAR_NAME_DAY = WordPattern(
    rf"(?<!\d)(?<!\d[./\-])(?P<year>(?:19|20)\d{{2}})(?:\s*{{connectives.year}}\.?)?[\s.\-/,]*"
    rf"(?P<name>{_NAME})[a-z]{{0,3}}[.,]?[\s\-/]*{_DAY}(?!\d|[.,/]\d)",
    re.NOFLAG,
)
# "2024. gada 9. oktobrī"
_YEAR_DAY_NAME = WordPattern(
    rf"(?<!\d)(?P<year>(?:19|20)\d{{2}})\.?\s*{{*connectives.year}}\.?\s*{_DAY}[\s.]*(?P<name>{_NAME})[a-z]{{0,3}}",
    re.NOFLAG,
)
# "ngày 09 tháng 10 năm 2024"; forms print the words in English, too, in brackets. "2024年10月9日".
_UNIT = r"\s*(?:\(\w+\))?\s*"
_DAY_UNITS = re.compile(
    rf"(?<!\d)(?P<day>\d{{1,2}})\s*thang{_UNIT}(?P<month>\d{{1,2}})\s*nam{_UNIT}(?P<year>(?:19|20)\d{{2}})(?!\d)"
)
# Folded, a syllable of Korean is its first letter.
_YEAR_SIGN, _MONTH_SIGN, _DAY_SIGN = (
    f"[{sign}{same_length_plain(korean)}]" for sign, korean in ("年년", "月월", "日일")
)
_YEAR_UNITS = re.compile(
    rf"(?<!\d)(?P<year>(?:19|20)\d{{2}})\s?{_YEAR_SIGN}\s?(?P<month>\d{{1,2}})\s?{_MONTH_SIGN}\s?(?P<day>\d{{1,2}})"
    rf"\s?{_DAY_SIGN}"
)
# "۱۴۰۴/۰۳/۲۲", beside words in Persian; years of the Islamic calendar are higher.
_PERSIAN = re.compile(
    r"(?<![\d./\-])(?P<persian>1(?:39|4[01])\d)\s?(?P<mark>[./\-])\s?(?P<month>\d{1,2})\s?(?P=mark)\s?(?P<day>\d{1,2})(?![\d./\-])"
)
_ARABIC_LETTERS = re.compile(r"[\u0621-\u06d3]{2}")
# Tills print "Feb23'19 10:23AM"; without the apostrophe, which OCR loses, the time tells that the digits are a date.
_TILL = re.compile(
    rf"(?<![a-z])(?P<name>{_NAME})\.?(?:(?=\s?\d{{2}}\s?['’])|(?=(?!20)\d{{4}}\s\d{{1,2}}:\d{{2}}))"
    r"\s?(?P<day>\d{2})\s?['’]?\s?(?P<year>\d{2})(?!\d)"
)
# "14082025", as in the boxes of a form.
_IN_BOXES = re.compile(
    r"(?<![\w./\-])(?=(?:[0-2]\d|3[01])(?:0\d|1[0-2])|(?:0\d|1[0-2])(?:[0-2]\d|3[01]))(?P<first>[0-3]\d)"
    r"(?P<second>[0-3]\d)(?P<year>20[0-4]\d)(?![\w/\-])"
)
_COMPACT = re.compile(r"(?<!\d)(?P<year>20\d{2})(?P<month>0[1-9]|1[0-2])(?P<day>[0-2]\d|3[01])(?!\d)")
# "12 VI 2025", "12.VI.25", but not the number "FV/5/VI/2025", nor "5 x 12".
_ROMAN = re.compile(
    r"(?<![\w./\-])(?P<day>\d{1,2})(?P<sep>[ ./\-]|\. )(?P<roman>i{1,3}|iv|vi{0,3}|ix|xi{0,2})(?P=sep)"
    r"(?P<year>(?:19|20)\d{2}|(?<![ ])\d{2})(?!\d)"
)
# "5/3-2025", as in Denmark: the day comes first.
_DAY_MONTH_DASH = re.compile(
    r"(?<![\d./\-])(?P<day>\d{1,2})[./](?P<month>\d{1,2})\s?-\s?(?P<year>(?:19|20)\d{2}|\d{2})(?![\d./\-])"
)
# "令和7年6月11日", "R7.6.11", "民國114年6月11日", "114/06/11".
_ERA = re.compile(
    r"(?:(?P<era>令和|平成|昭和|民国|民國)\s?|(?<![\w.])(?P<letter>[rh])\.?(?=\d))(?P<era_year>元|\d{1,3})\s?[年./\-]\s?"
    r"(?P<month>\d{1,2})\s?[月./\-]\s?(?P<day>\d{1,2})(?![\d.])"
)
_MINGUO = re.compile(
    r"(?<![\d./\-])(?P<minguo>1[0-4]\d)(?:\s?年\s?(?P<month>\d{1,2})\s?月\s?(?P<day>\d{1,2})\s?日|"
    r"(?P<mark>[./])(?P<month2>0\d|1[0-2])(?P=mark)(?P<day2>[0-3]\d)(?![\d./\-]))"
)
# Those that can be mistaken for parts of others come later.
_PATTERNS = (
    _ERA, _ISO, _YEAR_DAY_NAME, _DAY_NAME, _NAME_DAY, _NAME_DAY_SHORT, _YEAR_NAME_DAY, _DAY_UNITS, _YEAR_UNITS, _TILL,
    _DAY_MONTH_DASH, _ROMAN, _NUMERIC, _MINGUO, _COMPACT, _IN_BOXES
)  # fmt: skip
_LETTERS = re.compile(
    r"\b(?:[dD]{2}[./-][mM]{2}[./-][yYaA]{2,4}|TT[./-]MM[./-]JJ(?:JJ)?|JJ/MM/AA(?:AA)?|[mM]{2}[./-][dD]{2}[./-][yY]{2,4}|"
    r"[yY]{2}[./-][mM]{2}[./-][dD]{2}|AA/MM/JJ)\b"
)
# "24/03/04"
_SHORT = 8
# Few invoices before this year are read today, and none of so many years later.
_RECENT, _YEARS = 2013, 30
_MONTHS_A_YEAR = 12
# A time in the manner of Indonesia or Finland, and what stands between it and its day.
_TIME = re.compile(r"(?:[01]\d|2[0-3])\.[0-5]\d\.[0-5]\d")
_BETWEEN = WordPattern(r"\s*(?:,|{connectives.at}\.?)?\s*")
# A day, and perhaps its month, whose year a narrow column prints on the next line.
_WITHOUT_YEAR = WordPattern(
    rf"(?<![\d./\-])\d{{1,2}}(?:(?:{_ORDINAL}|\.)?|[./\-]\d{{1,2}}[./\-]|"
    rf"\.?{_OF}[\s./\-](?:{_NAME})[a-z]{{0,3}}[.\-/]?)$|(?<![a-z])(?:{_NAME})[a-z]{{0,3}}\.?\s\d{{1,2}}{_ORDINAL}?,?$",
    re.NOFLAG,
)
_MONTH = re.compile(rf"(?:{_NAME})[a-z]{{0,3}}[.\-/]?")
# A day, then what leads to another one.
_BEGUN = WordPattern(
    rf"(?:(?<!\d)\d{{1,2}}[./]\d{{1,2}}(?:[./](?:\d\d)?\d\d)?\.?|\d{{4}}[./\-]\d\d[./\-]\d\d|"
    rf"(?<![a-z])(?:{_NAME})[a-z]{{0,3}}\.?\s\d{{1,2}}{_ORDINAL}?(?:,?\s\d{{4}})?|"
    rf"\d{{1,2}}\.?\s(?:{_NAME})[a-z]{{0,3}}\.?(?:\s\d{{4}})?)"
    r"\s*(?:-|{connectives.until})\s*$",
    re.NOFLAG,
)


_Manner = tuple[str, bool]


@dataclass(frozen=True, slots=True)
class FoundDate:
    """A date in a text: characters `start` to `end`. `is_ambiguous`: which number is the day depends on the order;
    `is_short`: all three of its numbers have two digits."""

    start: int
    end: int
    year: int
    month: int
    day: int
    is_ambiguous: bool
    is_short: bool = False

    @property
    def may_begin_with_year(self) -> bool:
        """Whether a short date whose last number makes a year long ago would be of recent years if the first one were
        the year: "25-03-05"."""
        return (
            self.is_short and self.year < _RECENT <= 2000 + self.month < _RECENT + _YEARS and self.day <= _MONTHS_A_YEAR
        )

    @property
    def is_open(self) -> bool:
        """Whether its numbers are different days in either order."""
        return self.month != self.day and max(self.month, self.day) <= _MONTHS_A_YEAR

    def value(self, order: Order) -> date | None:
        """The date, or None when no such day exists in any order."""
        days = [(self.year, self.month, self.day)]
        if self.is_ambiguous:
            days = [(self.year, self.day, self.month), (self.year, self.month, self.day)]
            if order is Order.MONTH_FIRST:
                days.reverse()
            if order is Order.YEAR_FIRST and self.is_short:
                days.insert(0, (2000 + self.month, self.day, self.year % 100))
        for year, month, day in days:
            try:
                return date(year, month, day)
            except ValueError:
                continue
        return None


# Several steps ask for the dates of the same lines.
@lru_cache(maxsize=20_000)
def find_dates(text: str) -> tuple[FoundDate, ...]:
    """All dates of a line, from left to right, without overlaps.

    In an ambiguous one, `month` is the first number and `day` the second.
    """
    folded = same_length_plain(text)
    found: list[FoundDate] = []
    for match, printed in _matches(folded):
        if not any(printed.start < other.end and other.start < printed.end for other in found) and match:
            found.append(printed)
    found.sort(key=lambda match: match.start)
    return tuple(each for at, each in enumerate(found) if not (at and _is_time(folded, found[at - 1], each)))


def _is_time(text: str, before: FoundDate, each: FoundDate) -> bool:
    """Whether what could be a date is the time of the one right before it: "26/6/2025, 16.05.30"."""
    return bool(_BETWEEN.fullmatch(text[before.end : each.start]) and _TIME.fullmatch(text[each.start : each.end]))


def begins_period(text: str) -> bool:
    """Whether a text ends with the first day of a period, mostly without its year, and says that the last one follows:
    "Aug 11 –", "from 01.05. to"."""
    return _BEGUN.search(same_length_plain(text.replace("–", "-").replace("—", "-"))) is not None


def lacks_year(text: str) -> bool:
    """Whether a text ends with a day, or a day and its month: "07-Apr-", "on 3", "05 marzo"."""
    return _WITHOUT_YEAR.search(same_length_plain(text)) is not None


def is_month(word: str) -> bool:
    """Whether a word is the name of a month, or begins as one."""
    return _MONTH.fullmatch(same_length_plain(word)) is not None


def _matches(text: str) -> Iterator[tuple[re.Match[str], FoundDate]]:
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            yield match, _found(match)
    if _ARABIC_LETTERS.search(text):
        for match in _PERSIAN.finditer(text):
            day = day_of_persian(*(int(match[part]) for part in ("persian", "month", "day")))
            if day is not None:
                yield match, FoundDate(match.start(), match.end(), day.year, day.month, day.day, is_ambiguous=False)


def _found(match: re.Match[str]) -> FoundDate:
    parts = match.groupdict()
    if "first" in parts:
        first, second, is_short = int(parts["first"]), int(parts["second"]), "sep" in parts and len(match[0]) == _SHORT
        year = _full_year(parts["year"])
        return FoundDate(match.start(), match.end(), year, first, second, is_ambiguous=True, is_short=is_short)
    day = int(parts.get("day") or parts["day2"])
    return FoundDate(match.start(), match.end(), _year(parts), _month(parts), day, is_ambiguous=False)


def _month(parts: Mapping[str, str | None]) -> int:
    if name := parts.get("name"):
        return _MONTHS[name]
    if roman := parts.get("roman"):
        return month_of_roman(roman)
    return int(parts.get("month") or parts["month2"] or 0)


def _year(parts: Mapping[str, str | None]) -> int:
    if era_year := parts.get("era_year"):
        return year_of_era(parts["era"] or parts["letter"] or "", era_year)
    if minguo := parts.get("minguo"):
        return year_of_minguo(int(minguo))
    year = parts["year"] or ""
    if is_thai(parts.get("name") or "") and len(year) == 2:
        return year_of_buddha(int(year))
    return _full_year(year)


def _full_year(text: str) -> int:
    year = int(text.lstrip("'’"))
    if year > 2500:
        return year_of_buddha(year)
    return year if year > 99 else 2000 + year if year < 70 else 1900 + year


def day_month_order(lines: Iterable[str], *, month_first_hint: bool) -> Order:
    """The order that the document's own dates prove, or else the hint (the country's usual order)."""
    return possible_orders(lines, month_first_hint=month_first_hint)[0]


def possible_orders(lines: Iterable[str], *, month_first_hint: bool) -> tuple[Order, ...]:
    """The order that the document's own dates prove, or the only one that matters; else both, that of the hint
    first."""
    hinted = (Order.DAY_FIRST, Order.MONTH_FIRST)
    hinted = hinted[::-1] if month_first_hint else hinted
    lines = list(lines)
    if stated := {order for line in lines if (order := _stated_order(line))}:
        return (stated.pop(),) if len(stated) == 1 else hinted
    dates = list(_ambiguous(lines))
    is_open = {manner for found, manner in dates if found.is_open}
    proofs = _proofs(dates, is_open) or _repeated(lines)
    if proofs:
        return (Order.MONTH_FIRST if proofs > 0 else Order.DAY_FIRST,)
    return hinted if is_open else hinted[:1]


def _ambiguous(lines: Iterable[str]) -> Iterator[tuple[FoundDate, _Manner]]:
    """The dates whose day depends on the order, and how each is written."""
    for line in lines:
        yield from ((found, _manner(line, found)) for found in find_dates(line) if found.is_ambiguous)


def _proofs(dates: Sequence[tuple[FoundDate, _Manner]], is_open: Collection[_Manner]) -> int:
    """How many more dates are possible only with the month first than only with the day first."""
    # Beside "07/02/2019", "03-26-21" may be an article's number: it has neither its separator nor all of its year.
    distinctive = (
        found
        for found, manner in dates
        if found.value(Order.DAY_FIRST) and (not is_open or any(set(manner) & set(other) for other in is_open))
    )
    return sum((found.day > 12 >= found.month) - (found.month > 12 >= found.day) for found in distinctive)


def _repeated(lines: Iterable[str]) -> int:
    """How many more dates are, with the month first, also printed with the name of the month than with the day first:
    "8 July 2025" and "08/07/2025"."""
    dates = [found for line in lines for found in find_dates(line)]
    plain_days = {found.value(Order.DAY_FIRST) for found in dates if not found.is_ambiguous} - {None}
    unclear = [found for found in dates if found.is_ambiguous and found.month != found.day]
    firsts = [
        sum(found.value(order) in plain_days for found in unclear) for order in (Order.MONTH_FIRST, Order.DAY_FIRST)
    ]
    return firsts[0] - firsts[1]


def _stated_order(line: str) -> Order | None:
    """The order that a line prints in letters: "dates shown DD/MM/YYYY"."""
    letters = _LETTERS.search(line)
    if letters is None:
        return None
    return {"D": Order.DAY_FIRST, "T": Order.DAY_FIRST, "J": Order.DAY_FIRST, "M": Order.MONTH_FIRST}.get(
        letters[0][0].upper(), Order.YEAR_FIRST
    )


def _manner(line: str, found: FoundDate) -> _Manner:
    """How a date is written: its separator, and whether all of its year is printed."""
    printed = line[found.start : found.end]
    return next((mark for mark in printed if mark in "./-"), ""), printed[-4:].isdigit()
