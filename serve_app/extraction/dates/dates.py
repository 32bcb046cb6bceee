"""Printed dates, in the languages of Europe and some others; the whole document decides about the order of day and
month."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import cache, lru_cache

from serve_app.extraction.plain import plain


class Order(StrEnum):
    """Which of the first two numbers of 03/04/2024 is the day; or that a short date begins with its year, 24/03/04."""

    DAY_FIRST = "day_first"
    MONTH_FIRST = "month_first"
    YEAR_FIRST = "year_first"


# Stems are enough: "Sept", "septembre", "septiembre" all begin alike. Longer stems win over shorter ones.
_STEMS: dict[int, str] = {
    1: "jan januar january janvier janv ene enero genn gennaio gen januari jän stycz stycznia styczen oca "
    "ocak led leden ledna січня января януари януар ιανουαριου јануар januarie ianuarie ian janvaris "
    "janvari tammikuuta tammikuu jaanuar sausio sausis siječnja siječanj",
    2: "feb februar february fév févr février fev febrero febbraio fevereiro lut luty lutego şub şubat únor "
    "února un лютого февраля февруари фебруар φεβρουαριου vasario vasaris helmikuuta helmikuu veebruar "
    "veljače veljača pebruari",
    3: "mar march märz mrz maart mrt mars marzo março marzec marca mart bře březen března березня марта март "
    "μαρτιου marcius kovo kovas maaliskuuta maaliskuu ožujka ožujak",
    4: "apr april avr avril abr abril aprile kwi kwiecień kwietnia nis nisan dub duben dubna квітня апреля "
    "април απριλιου balandžio balandis huhtikuuta huhtikuu travnja travanj",
    5: "may mai mei mayo maggio mag maio maj maja mayıs květen května kvě травня мая май мај μαιου gegužės "
    "gegužė toukokuuta toukokuu svibnja svibanj",
    6: "jun june juni juin junio giugno giu junho cze czerwiec czerwca haz haziran čer červen června червня "
    "июня юни јун ιουνιου iunie birželio birželis kesäkuuta kesäkuu juuni lipnja lipanj",
    7: "jul july juli juil juillet julio luglio lug julho lip lipiec lipca tem temmuz červenec července čvc "
    "липня июля юли јул ιουλιου iulie liepos liepa heinäkuuta heinäkuu juuli srpnja srpanj",
    8: "aug august août aout ago agosto augustus sie sierpień sierpnia ağu ağustos srp srpen srpna серпня "
    "августа август αυγουστου rugpjūčio rugpjūtis elokuuta elokuu kolovoza kolovoz avgust agustus",
    9: "sep sept september septembre septiembre set settembre setembro wrz wrzesień września eyl eylül zář "
    "září вересня сентября септември септембар σεπτεμβριου septembar septembrie septembris septembri "
    "szept szeptember rugsėjo rugsėjis syyskuuta syyskuu rujna rujan",
    10: "oct october okt oktober octobre octubre ott ottobre out outubro paź październik października eki "
    "ekim říj říjen října жовтня октября октомври октобар οκτωβριου oktobar octombrie oktobris oktobri "
    "oktoober spalio spalis lokakuuta lokakuu",
    11: "nov november novembre noviembre novembro lis listopad listopada kas kasım листопада ноября ноември "
    "новембар νοεμβριου novembar noiembrie novembris novembri nopember lapkričio lapkritis marraskuuta "
    "marraskuu studenoga studenog",
    12: "dec december dez dezember déc décembre dic diciembre dicembre dezembro gru grudzień grudnia ara "
    "aralık pro prosinec prosince грудня декабря декември децембар δεκεμβριου decembar decembrie "
    "decembris decembri desember detsember gruodžio gruodis joulukuuta joulukuu prosinca",
}


_MONTHS = {plain(stem): month for month, stems in _STEMS.items() for stem in stems.split()}
_NAME = "|".join(sorted(map(re.escape, _MONTHS), key=len, reverse=True))
# Of the common era or, in Thailand, of the Buddhist one, 543 years ahead.
_YEAR = r"(?P<year>(?:19|20|25(?=[4-9]))\d{2}|['’]?\d{2})"
_BUDDHIST = 543
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|e|o|º|°)?"
# The number ends here, unless a time of day is attached to it.
_END = r"(?:(?!\d)|(?=\d{1,2}:\d{2}))"
_NUMERIC = re.compile(
    rf"(?<![\d.,/])(?P<first>\d{{1,2}})(?P<sep>\s?[./\-]\s?)(?P<second>\d{{1,2}})(?P=sep){_YEAR}{_END}"
)
# Its year is no end of another date: "08.05.2025. 23.05.2025." has none.
_ISO = re.compile(
    r"(?<!\d)(?<!\d[./\-])(?P<year>(?:19|20)\d{2})\s?[./\-]\s?(?P<month>\d{1,2})\s?[./\-]\s?"
    r"(?P<day>\d{1,2})(?!\d)"
)
# A day is no end of another date or of a time: "01/26/20 January 2020" has no 20 January, "11:30 March 25 2009" no
# 30 March, the street "10 de Agosto 14/02/2024" none of 2014.
_DAY_NAME = re.compile(
    rf"(?<!\d)(?<!\d[./\-:]){_DAY}[.,]?(?:\s+de)?[\s.\-/]*(?P<name>{_NAME})[a-z]{{0,3}}[.,]?(?:\s+de[l]?)?[\s.\-/,]*"
    rf"{_YEAR}(?!/\d\d?/){_END}"
)
_NAME_DAY = re.compile(
    rf"(?<![a-z])(?P<name>{_NAME})[a-z]{{0,3}}[.,]?[\s\-]*{_DAY}[\s,.\-]+(?P<year>(?:19|20)\d{{2}})(?!\d)"
)
# "2021 m. gruodžio 15 d.", "2024. október 9.", "2024-Oct-09"
_YEAR_NAME_DAY = re.compile(
    rf"(?<!\d)(?P<year>(?:19|20)\d{{2}})(?:\s*m\.)?[\s.\-/,]*(?P<name>{_NAME})[a-z]{{0,3}}[.,]?[\s\-/]*{_DAY}(?!\d|[.,/]\d)"
)
# "2024. gada 9. oktobrī"
_YEAR_DAY_NAME = re.compile(
    rf"(?<!\d)(?P<year>(?:19|20)\d{{2}})\.?\s*g(?:ada|\.)\s*{_DAY}[\s.]*(?P<name>{_NAME})[a-z]{{0,3}}"
)
# "ngày 09 tháng 10 năm 2024"; forms print the words in English, too, in brackets. "2024年10月9日".
_UNIT = r"\s*(?:\(\w+\))?\s*"
_DAY_UNITS = re.compile(
    rf"(?<!\d)(?P<day>\d{{1,2}})\s*thang{_UNIT}(?P<month>\d{{1,2}})\s*nam{_UNIT}(?P<year>(?:19|20)\d{{2}})(?!\d)"
)
_YEAR_UNITS = re.compile(r"(?<!\d)(?P<year>(?:19|20)\d{2})\s?年\s?(?P<month>\d{1,2})\s?月\s?(?P<day>\d{1,2})\s?日")
# Tills print "Feb23'19 10:23AM"; without the apostrophe, which OCR loses, the time tells that the digits are a date.
_TILL = re.compile(
    rf"(?<![a-z])(?P<name>{_NAME})\.?(?:(?=\s?\d{{2}}\s?['’])|(?=(?!20)\d{{4}}\s\d{{1,2}}:\d{{2}}))"
    r"\s?(?P<day>\d{2})\s?['’]?\s?(?P<year>\d{2})(?!\d)"
)
_COMPACT = re.compile(r"(?<!\d)(?P<year>20\d{2})(?P<month>0[1-9]|1[0-2])(?P<day>[0-2]\d|3[01])(?!\d)")
# Those that can be mistaken for parts of others come later.
_PATTERNS = (
    _ISO, _YEAR_DAY_NAME, _DAY_NAME, _NAME_DAY, _YEAR_NAME_DAY, _DAY_UNITS, _YEAR_UNITS, _TILL, _NUMERIC, _COMPACT
)  # fmt: skip
_LETTERS = re.compile(
    r"\b(?:[dD]{2}[./-][mM]{2}[./-][yYaA]{2,4}|TT[./-]MM[./-]JJ(?:JJ)?|JJ/MM/AA(?:AA)?|[mM]{2}[./-][dD]{2}[./-][yY]{2,4}|"
    r"[yY]{2}[./-][mM]{2}[./-][dD]{2}|AA/MM/JJ)\b"
)
# "24/03/04"
_SHORT = 8
# A time in the manner of Indonesia or Finland, and what stands between it and its day.
_TIME = re.compile(r"(?:[01]\d|2[0-3])\.[0-5]\d\.[0-5]\d")
_BETWEEN = re.compile(r"\s*(?:,|\bpukul|\bklo|\bkl\.?|\bat)?\s*")
# A day, and perhaps its month, whose year a narrow column prints on the next line.
_WITHOUT_YEAR = re.compile(
    rf"(?<![\d./\-])\d{{1,2}}(?:(?:st|nd|rd|th|\.)?|[./\-]\d{{1,2}}[./\-]|\.?(?:\sde)?[\s./\-](?:{_NAME})[a-z]{{0,3}}[.\-/]?)$|"
    rf"(?<![a-z])(?:{_NAME})[a-z]{{0,3}}\.?\s\d{{1,2}}(?:st|nd|rd|th)?,?$"
)
_MONTH = re.compile(rf"(?:{_NAME})[a-z]{{0,3}}[.\-/]?")
# A day, then what leads to another one.
_BEGUN = re.compile(
    rf"(?:(?<!\d)\d{{1,2}}[./]\d{{1,2}}(?:[./](?:\d\d)?\d\d)?\.?|\d{{4}}[./\-]\d\d[./\-]\d\d|"
    rf"(?<![a-z])(?:{_NAME})[a-z]{{0,3}}\.?\s\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s\d{{4}})?|"
    rf"\d{{1,2}}\.?\s(?:{_NAME})[a-z]{{0,3}}\.?(?:\s\d{{4}})?)"
    r"\s*(?:-|\b(?:to|through|bis|au|al|a|tot|t/m|ate|hasta|do|az|ile))\s*$"
)


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


# Every witness asks for the dates of the same lines, several times.
@lru_cache(maxsize=20_000)
def find_dates(text: str) -> tuple[FoundDate, ...]:
    """All dates of a line, from left to right, without overlaps.

    In an ambiguous one, `month` is the first number and `day` the second.
    """
    folded = _same_length_plain(text)
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
    return _BEGUN.search(_same_length_plain(text.replace("–", "-").replace("—", "-"))) is not None


def lacks_year(text: str) -> bool:
    """Whether a text ends with a day, or a day and its month: "07-Apr-", "on 3", "05 marzo"."""
    return _WITHOUT_YEAR.search(_same_length_plain(text)) is not None


def is_month(word: str) -> bool:
    """Whether a word is the name of a month, or begins as one."""
    return _MONTH.fullmatch(_same_length_plain(word)) is not None


def _same_length_plain(text: str) -> str:
    return "".join(map(_plain_character, text))


@cache
def _plain_character(character: str) -> str:
    return (plain(character) or " ")[0]


def _matches(text: str) -> Iterator[tuple[re.Match[str], FoundDate]]:
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            yield match, _found(match)


def _found(match: re.Match[str]) -> FoundDate:
    parts = match.groupdict()
    year = _full_year(parts["year"])
    if "first" in parts:
        first, second, is_short = int(parts["first"]), int(parts["second"]), len(match[0]) == _SHORT
        return FoundDate(match.start(), match.end(), year, first, second, is_ambiguous=True, is_short=is_short)
    month = _MONTHS[parts["name"]] if "name" in parts else int(parts["month"])
    return FoundDate(match.start(), match.end(), year, month, int(parts["day"]), is_ambiguous=False)


def _full_year(text: str) -> int:
    year = int(text.lstrip("'’"))
    if year > 2500:
        return year - _BUDDHIST
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
    if told := {order for line in lines if (order := _stated_order(line))}:
        return (told.pop(),) if len(told) == 1 else hinted
    dates = [(found, _manner(line, found)) for line in lines for found in find_dates(line) if found.is_ambiguous]
    is_open = {manner for found, manner in dates if found.month != found.day and max(found.month, found.day) <= 12}
    # Beside "07/02/2019", "03-26-21" may be an article's number: it has neither its separator nor all of its year.
    telling = (
        found
        for found, manner in dates
        if found.value(Order.DAY_FIRST) and (not is_open or any(set(manner) & set(other) for other in is_open))
    )
    proofs = sum((found.day > 12 >= found.month) - (found.month > 12 >= found.day) for found in telling)
    proofs = proofs or _repeated(lines)
    if proofs:
        return (Order.MONTH_FIRST if proofs > 0 else Order.DAY_FIRST,)
    return hinted if is_open else hinted[:1]


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


def _manner(line: str, found: FoundDate) -> tuple[str, bool]:
    """How a date is written: its separator, and whether all of its year is printed."""
    printed = line[found.start : found.end]
    return next((mark for mark in printed if mark in "./-"), ""), printed[-4:].isdigit()
