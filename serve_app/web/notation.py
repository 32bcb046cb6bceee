"""How people of a locale write numbers and dates, to read what they type.

What is typed is read strictly in the person's language. Another notation is accepted only if it has one meaning: an ISO
date, a plain decimal point, the separators of another country where they cannot mean anything else. The scripts of the
review screen read the same way (`review/notation.js`), from `Notation.data`, to show what they understood.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from decimal import Decimal
from functools import cache, lru_cache
from typing import Any

from babel import Locale

MAX_LENGTH = 60
"""Longer texts are no numbers and no dates."""
_UNIT = r"([A-Z]{3}|US\$|[$€£¥₹]|kr\.?|zł|Fr\.?|%)"
_NUMBER = re.compile(rf"{_UNIT}?\s*([-+−(]?)\s*{_UNIT}?\s*([0-9][0-9.,'’\s]*)([-−)]?)\s*{_UNIT}?\s*([-−]?)")
_SPACED = re.compile(r"[0-9]{1,3}(?:['’\s][0-9]{3})+(?:[.,][0-9]+)?")
_GROUPS = re.compile(r"[1-9][0-9]{0,2}(?:[.,][0-9]{3})+|[1-9][0-9]?(?:[.,][0-9]{2})+[.,][0-9]{3}")
# The names of months in these languages are understood in all.
_COMMON_LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pt", "pl", "sv", "da", "cs")
_COMMON_WORDS = ("st", "nd", "rd", "th", "er", "o", "de", "of", "di", "del", "den", "le")
_YEARS = range(1901, 2200)
_MONTHS = 12


@dataclass(frozen=True, slots=True)
class Notation:
    """`decimal` and `group` are the signs in numbers. `month_first` and `year_first` order the parts of a date in
    digits. `words` may stand in a date beside its parts; `months` are the numbers of months by their names in the
    language, `other_months` by those in others."""

    decimal: str
    group: str
    month_first: bool
    year_first: bool
    words: Sequence[str]
    months: Mapping[str, int]
    other_months: Mapping[str, int]

    @property
    def data(self) -> Mapping[str, Any]:
        """The same for the scripts."""
        return asdict(self)

    def read_number(self, text: str) -> Decimal | None:
        """A number with its sign, and perhaps a currency or a percent sign, which is ignored. None for any other text,
        and for one with two meanings between which the language does not decide."""
        found = _NUMBER.fullmatch(self._with_plain_separators(_cleaned(text))) if len(text) <= MAX_LENGTH else None
        if found is None:
            return None
        first, before, second, body, after, third, end = found.groups()
        digits = self._plain_digits(re.sub(r"[.,]$", "", body.strip()))
        if digits is None or len([unit for unit in (first, second, third) if unit]) > 1:
            return None
        return -Decimal(digits) if set(before + after + end) & set("-−(") else Decimal(digits)

    def read_date(self, text: str) -> date | None:
        """A date by its numbers, or by two numbers and the name of a month. None for any other text."""
        if len(text) > MAX_LENGTH:
            return None
        parts = re.split(r"([0-9]+)", _cleaned(text).lower())
        gaps, numbers = parts[::2], parts[1::2]
        names = ["".join(word for word in _words(gap) if not self._is_filler(word)) for gap in gaps]
        if any(unicodedata.category(sign)[0] not in "LMPZ" for sign in "".join(gaps)):
            return None
        named = [name for name in names if name]
        if len(numbers) == 2 and len(named) == 1:
            return self._date_with_name(numbers, self._month(named[0]))
        if len(numbers) != 3 or named or not _is_uniform(gaps[1], gaps[2]):
            return None
        return next((found for found in map(_date, self._orders(*numbers)) if found), None)

    @staticmethod
    def is_ambiguous(text: str) -> bool:
        """Whether another language reads the number or date differently, as 1.234 and 3/4/2026."""
        plain = _cleaned(text)
        numbers = re.findall(r"[0-9]+", plain)
        is_date = len(numbers) == 3 and len(numbers[0]) < 4 and not _words(plain) and numbers[0] != numbers[1]
        return bool(re.search(r"(?<![0-9.,])[1-9][0-9]{0,2}[.,][0-9]{3}(?![0-9.,])", plain)) or (
            is_date and max(int(numbers[0]), int(numbers[1])) <= _MONTHS
        )

    def _with_plain_separators(self, text: str) -> str:
        for sign, plain in ((self.decimal, "."), (self.group, ",")):
            text = text if sign in ".,'’ " else text.replace(sign, plain)
        return text

    def _plain_digits(self, digits: str) -> str | None:
        if re.search(r"['’\s]", digits):
            spaced = _SPACED.fullmatch(digits)
            return re.sub(r"['’\s]", "", digits).replace(",", ".") if spaced else None
        marks = re.findall(r"[.,]", digits)
        if not marks:
            return digits
        whole, mark, decimals = digits.rpartition(marks[-1])
        if len(set(marks)) == 2:
            return f"{_ungrouped(whole)}.{decimals}" if _is_grouped(whole, marks[0]) else None
        if not _is_grouped(digits, mark):
            return f"{whole}.{decimals}" if len(marks) == 1 else None
        if len(marks) > 1 or mark == self._plain(self.group, ","):
            return _ungrouped(digits)
        return f"{whole}.{decimals}" if mark == self._plain(self.decimal, ".") else None

    @staticmethod
    def _plain(sign: str, plain: str) -> str:
        return sign if sign in ".,'’ " else plain

    def _is_filler(self, word: str) -> bool:
        """Whether it is one of the words beside the parts of a date, or two of them written as one."""
        if word in self.months or word in self.words:
            return word not in self.months
        return any(word.startswith(each) and word.removeprefix(each) in self.words for each in self.words)

    def _month(self, name: str) -> int:
        """The number of a month by its name or the beginning of it; 0 for another word. Some languages write a word
        such as "in" as a part of the name."""
        bare = [name.removeprefix(each) for each in self.words] + [name.removesuffix(each) for each in self.words]
        found = (self._exact_month(each) for each in (name, *bare))
        return next((number for number in found if number), 0) or self._begun_month(name)

    def _exact_month(self, name: str) -> int:
        return self.months.get(name) or self.other_months.get(name, 0)

    def _begun_month(self, name: str) -> int:
        """Of the month of which alone the name is the beginning."""
        for names in (self.months, self.other_months):
            found = {number for each, number in names.items() if len(name) > 2 and each.startswith(name)}
            if len(found) == 1:
                return found.pop()
        return 0

    def _date_with_name(self, numbers: Sequence[str], month: int) -> date | None:
        first, second = numbers
        year_first = len(first) == 4 or (len(second) < 3 and self.year_first)
        year, day = (first, second) if year_first else (second, first)
        return _date((year, str(month), day))

    def _orders(self, first: str, second: str, third: str) -> Iterable[tuple[str, str, str]]:
        """What three numbers may be as year, month and day, likeliest first."""
        if len(first) == 4:
            return [(first, second, third)]
        orders = [(third, first, second), (third, second, first)]
        orders = orders if self.month_first else orders[::-1]
        return [(first, second, third), *orders] if self.year_first and len(third) < 3 else orders


@lru_cache(maxsize=64)
def notation_of(locale: Locale) -> Notation:
    """The notation of a locale, with Latin digits."""
    symbols = locale.number_symbols["latn"]
    short = str(locale.date_formats["short"].pattern)
    pattern = str(locale.datetime_skeletons["Md"].pattern)
    months, words = _months_of(locale)
    return Notation(
        decimal=_cleaned(symbols["decimal"]),
        group=_cleaned(symbols["group"]) or " ",
        month_first=pattern.find("M") < pattern.find("d"),
        year_first=short.find("y") < short.find("M"),
        words=sorted({*_COMMON_WORDS, *words, *_words_of_patterns(locale)} - months.keys()),
        months=months,
        other_months=_common_months(),
    )


def _months_of(locale: Locale) -> tuple[dict[str, int], set[str]]:
    """The numbers of months by their names, and the words of names that consist of a word and a number."""
    months: dict[str, int] = {}
    words: set[str] = set()
    for context in ("format", "stand-alone"):
        for width in ("wide", "abbreviated"):
            for number, name in locale.months[context][width].items():
                if re.search(r"\d", name):
                    words.update(_words(name.lower()))
                else:
                    months.setdefault("".join(_words(name.lower())), number)
    return months, words


@cache
def _common_months() -> dict[str, int]:
    """Without names that are different months in different languages."""
    found: dict[str, set[int]] = {}
    for language in _COMMON_LANGUAGES:
        for name, number in _months_of(Locale.parse(language))[0].items():
            found.setdefault(name, set()).add(number)
    return {name: numbers.pop() for name, numbers in found.items() if len(numbers) == 1}


def _words_of_patterns(locale: Locale) -> set[str]:
    patterns = " ".join(str(locale.date_formats[width].pattern) for width in ("short", "medium", "long", "full"))
    quoted = " ".join(re.findall(r"'([^']*)'", patterns))
    bare = re.sub(r"[A-Za-z]+", " ", re.sub(r"'[^']*'", " ", patterns))
    return set(_words(f"{quoted} {bare}".lower()))


def _cleaned(text: str) -> str:
    """With plain digits and spaces, and without marks that only direct the writing."""
    shown = (sign for sign in unicodedata.normalize("NFKC", text) if unicodedata.category(sign) != "Cf")
    plain = (str(unicodedata.decimal(sign)) if sign.isdecimal() else sign for sign in shown)
    return re.sub(r"\s+", " ", "".join(plain)).strip()


def _words(text: str) -> list[str]:
    """The words of a text in lower case, without accents of Latin letters."""
    bare = re.sub("[\u0300-\u036f]", "", unicodedata.normalize("NFKD", text))
    signs = (sign if unicodedata.category(sign)[0] in "LM" else " " for sign in bare)
    return "".join(signs).split()


def _is_uniform(left: str, right: str) -> bool:
    """Whether one separator stands between the numbers of a date; words may differ."""
    return left.strip() == right.strip() or bool(_words(left) or _words(right))


def _is_grouped(digits: str, mark: str) -> bool:
    return _GROUPS.fullmatch(digits) is not None and set(re.findall(r"[.,]", digits)) == {mark}


def _ungrouped(digits: str) -> str:
    return re.sub(r"[.,]", "", digits)


def _date(parts: tuple[str, str, str]) -> date | None:
    year, month, day = parts
    if len(year) not in (2, 4) or len(month) > 2 or len(day) > 2:
        return None
    full = int(year) + 2000 if len(year) == 2 else int(year)
    try:
        return date(full, int(month), int(day)) if full in _YEARS else None
    except ValueError:
        return None
