"""The possible meanings of a printed word: all amounts and dates that it could stand for."""

import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from functools import cache

from models.training.generator.core.dates import STYLES, format_date
from models.training.generator.core.lists import LANGUAGES, load

_CORE = re.compile(r"\d(?:[\d.,'’\u00a0\u202f ]*\d)?")
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MORE_STYLES = (
    "{dd}.{mm}.{yyyy}", "{d}.{m}.{yyyy}", "{dd}/{mm}/{yyyy}", "{d}/{m}/{yyyy}", "{mm}/{dd}/{yyyy}", "{m}/{d}/{yyyy}",
    "{yyyy}/{mm}/{dd}", "{yyyy}-{mm}-{dd}", "{d} {month} {yyyy}", "{dd} {month} {yyyy}", "{month} {d} {yyyy}",
    "{month} {dd} {yyyy}", "{mon} {d} {yyyy}", "{mon} {dd} {yyyy}", "{d} {mon} {yyyy}", "{dd} {mon} {yyyy}",
    "{dd}.{mm}.{yy}", "{dd}/{mm}/{yy}", "{mm}/{dd}/{yy}", "{ord} {month} {yyyy}", "{month} {ord} {yyyy}",
)  # fmt: skip


def amounts(text: str, marks: frozenset[str] = frozenset()) -> frozenset[Decimal]:
    """Every value that `text` may stand for: `1.234` is one and a bit, or one thousand. Empty if it is no amount.

    `marks` are the currencies, casefolded, that may be glued to it.
    """
    found = _CORE.search(text)
    if found is None:
        return frozenset()
    before, after = text[: found.start()], text[found.end() :]
    if not (_is_mark(before, marks) and _is_mark(after, marks)):
        return frozenset()
    values = set(_values(re.sub(r"[\s\u00a0\u202f]", "", found[0])))
    if "-" in before or "−" in before or "–" in before or "(" in before or after.startswith("-"):
        return frozenset(values | {-value for value in values})
    return frozenset(values)


def _is_mark(text: str, marks: frozenset[str]) -> bool:
    """Whether `text` is only signs and a currency."""
    kept = text.casefold().strip("-+−–()[]*:;,.x× ")
    return not kept or kept in marks


def _values(digits: str) -> Iterator[Decimal]:
    parts = re.split(r"[.,'’]", digits)
    marks = re.findall(r"[.,'’]", digits)
    if not marks:
        yield Decimal(digits)
        return
    if all(len(part) in (2, 3) for part in parts[1:-1]) and len(parts[-1]) == 3 and len(set(marks)) == 1:
        yield Decimal("".join(parts))
    if marks[-1] in ".," and marks[-1] not in marks[:-1] and parts[-1]:
        yield Decimal("".join(parts[:-1]) + "." + parts[-1])


def squeezed(text: str) -> str:
    """`text` as its letters and digits are compared: without case, space and the hyphens of typesetters."""
    return "".join(text.casefold().replace("\u00ad", "").replace("\u2011", "-").replace("’", "'").split())


def bare(text: str) -> str:
    """Letters and digits alone, with single spaces between words."""
    return " ".join(re.findall(r"\w+", text.casefold()))


@cache
def date_forms(value: date) -> frozenset[str]:
    """All usual printings of a date, as `bare` makes them."""
    styles = {style for group in STYLES.values() for style in group} | set(_MORE_STYLES)
    forms = {
        bare(format_date(value, style, load("wordings", language), language))
        for language in LANGUAGES
        for style in styles
    }
    english = {form for form in forms if any(char.isalpha() for char in form)}
    names = (_DAYS[value.weekday()], _DAYS[value.weekday()][:3])
    return frozenset(forms | {f"{name} {form}" for name in names for form in english})
