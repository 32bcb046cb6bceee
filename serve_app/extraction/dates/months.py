"""Names of months, and years of other eras than the common one."""

import pickle
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from pathlib import Path

from babel import localedata
from babel.localedata import LocaleDataDict

from serve_app.extraction.knowledge import SEVERAL, languages
from serve_app.extraction.notation.plain import same_length_plain

_SHORTEST = 3
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
_THAI = range(0x0E00, 0x0E80)
# Before the first year of an era of Japan; of the Republic of China; of Buddha.
_ERAS = {"令和": 2018, "令": 2018, "r": 2018, "平成": 1988, "h": 1988, "昭和": 1925, "民国": 1911, "民國": 1911}
_MINGUO, _BUDDHIST = 1911, 543
# The first day of a year of Iran.
_PERSIAN_YEAR, _PERSIAN_START = 1390, date(2011, 3, 21)


def month_names() -> Mapping[str, int]:
    """The number of each month by its names, as `same_length_plain` writes them; the beginning of one is enough.

    Where CLDR's names of two languages call different months alike, neither counts."""
    named: dict[str, set[int]] = defaultdict(set)
    for name, month in _names_of_cldr():
        named[name].add(month)
    return {name: months.pop() for name, months in named.items() if len(months) == 1} | dict(_more_names())


def _more_names() -> Iterator[tuple[str, int]]:
    for language in languages().values():
        for month, names in language.months.items():
            yield from ((same_length_plain(name), month) for name in names)


def _names_of_cldr() -> Iterator[tuple[str, int]]:
    for locale in _locales():
        months = _own_data(locale)["months"]
        for form in ("format", "stand-alone"):
            for width in ("wide", "abbreviated"):
                for month, name in months.get(form, {}).get(width, {}).items():
                    plain = same_length_plain(name).strip(" .")
                    if len(plain) >= _SHORTEST and not any(map(str.isdecimal, plain)):
                        yield plain, month


def _own_data(locale: str) -> LocaleDataDict:
    """What CLDR knows about a locale's months, without what it inherits. Babel's `Locale` adds that, which takes five
    times as long, and keeps both: 50 MB. The rest is dropped at once, because a `LocaleDataDict` is freed late."""
    with Path(localedata.resolve_locale_filename(locale)).open("rb") as file:
        return LocaleDataDict({"months": pickle.load(file)["months"]})  # noqa: S301 - from the installed package


def _locales() -> Iterator[str]:
    for code, language in languages().items():
        yield from language.locales or ({code} - {SEVERAL})


def month_of_roman(numeral: str) -> int:
    """The month of a numeral in small letters from "i" to "xii"."""
    return _ROMAN.index(numeral) + 1


def year_of_era(era: str, year: str) -> int:
    """The year of the common era for a year of an era of Japan, whose first is called 元, or of the Republic of
    China."""
    return _ERAS[era] + (1 if year == "元" else int(year))


def year_of_minguo(year: int) -> int:
    """The year of the common era for one of the Republic of China."""
    return year + _MINGUO


def year_of_buddha(year: int) -> int:
    """The year of the common era for one of the Buddhist era, of which perhaps only the last two digits are printed."""
    return year - _BUDDHIST + (0 if year > 99 else 2500)


def day_of_persian(year: int, month: int, day: int) -> date | None:
    """The day of the common calendar for one of the calendar of Iran; None if there is no such day. The leap years of
    the cycle of 33 years are those of the calendar from 1244 to 1531."""
    lengths = [31] * 6 + [30] * 5 + [30 if _is_leap_in_persian(year) else 29]
    if not (1 <= month <= len(lengths) and 1 <= day <= lengths[month - 1]):
        return None
    leaps = sum(map(_is_leap_in_persian, range(_PERSIAN_YEAR, year)))
    return _PERSIAN_START + timedelta(365 * (year - _PERSIAN_YEAR) + leaps + sum(lengths[: month - 1]) + day - 1)


def _is_leap_in_persian(year: int) -> bool:
    return (8 * year + 29) % 33 < 8


def is_thai(name: str) -> bool:
    """Whether the name of a month is Thai: its year is of the Buddhist era."""
    return any(ord(character) in _THAI for character in name)
