"""How dates are printed."""

from datetime import date
from random import Random

from models.training.generator.core.lists import Lists

# Styles by country habit: each name is a set of templates, the most usual ones repeated.
_DOTTED = ("{dd}.{mm}.{yyyy}",) * 5 + (
    "{d}.{m}.{yyyy}",
    "{dd}.{mm}.{yy}",
    "{d}. {month} {yyyy}",
    "{dd}. {month} {yyyy}",
)
_SLASHED = ("{dd}/{mm}/{yyyy}",) * 5 + ("{d}/{m}/{yyyy}", "{dd}/{mm}/{yy}", "{dd}-{mm}-{yyyy}", "{d}/{m}/{yy}")
_ISO = ("{yyyy}-{mm}-{dd}",)
STYLES: dict[str, tuple[str, ...]] = {
    "de": (*_DOTTED, *_ISO, "{d}. {mon} {yyyy}", "{dd}.{mon}{yyyy}"),
    "cz": (*_DOTTED, "{d}. {m}. {yyyy}", "{dd}. {mm}. {yyyy}", *_ISO),
    "pl": ("{dd}.{mm}.{yyyy}", "{dd}-{mm}-{yyyy}", *_ISO * 3, "{dd}.{mm}.{yyyy} r.", "{d} {month} {yyyy}"),
    "fr": (*_SLASHED, "{d} {month} {yyyy}", "{ord} {month} {yyyy}", "{dd}.{mm}.{yyyy}", "{d} {mon} {yyyy}"),
    "es": (*_SLASHED, "{d} de {month} de {yyyy}", "{dd}-{mon}-{yyyy}", "{dd}.{mm}.{yyyy}", "{d} {mon} {yyyy}"),
    "it": (*_SLASHED, "{d} {month} {yyyy}", "{dd}.{mm}.{yyyy}", "{dd} {mon} {yyyy}"),
    "nl": ("{dd}-{mm}-{yyyy}",) * 4 + ("{d}-{m}-{yyyy}", "{d} {month} {yyyy}", "{dd}/{mm}/{yyyy}", "{dd}-{mm}-{yy}"),
    "tr": ("{dd}.{mm}.{yyyy}",) * 3 + ("{dd}/{mm}/{yyyy}", "{dd}-{mm}-{yyyy}", "{d} {month} {yyyy}", *_ISO),
    "hu": ("{yyyy}.{mm}.{dd}", "{yyyy}.{mm}.{dd}.", *_ISO, "{yyyy}. {mm}. {dd}."),
    "nordic": (*_ISO * 3, "{dd}.{mm}.{yyyy}", "{dd}-{mm}-{yyyy}", "{d} {month} {yyyy}"),
    "gb": (
        *_SLASHED, "{d} {month} {yyyy}", "{dd} {mon} {yyyy}", "{d} {mon} {yyyy}", "{dd}-{mon}-{yyyy}",
        "{ord} {month} {yyyy}", "{dd}-{mon}-{yy}", "{dd}.{mm}.{yyyy}", "{month} {d}, {yyyy}", "{dd}/{mon}/{yyyy}",
        *_ISO, "{dd}-{mm}-{yyyy}", "{d} {MON} {yyyy}", "{dd}{MON}{yy}", "{mon} {d}, {yyyy}",
    ),
    "us": (
        "{mm}/{dd}/{yyyy}", "{mm}/{dd}/{yyyy}", "{m}/{d}/{yyyy}", "{m}/{d}/{yy}", "{month} {d}, {yyyy}",
        "{mon} {d}, {yyyy}", "{month} {ord}, {yyyy}", "{mm}-{dd}-{yyyy}", "{dd}-{mon}-{yyyy}", *_ISO,
        "{mm}/{dd}/{yy}", "{mon}-{dd}-{yyyy}", "{mon}. {d}, {yyyy}", "{MON} {dd} {yyyy}",
    ),
    "jp": ("{yyyy}/{mm}/{dd}", *_ISO, "{mon} {d}, {yyyy}", "{yyyy}年{m}月{d}日"),
}  # fmt: skip


def _ordinal(day: int, language: str) -> str:
    if language == "fr":
        return "1er" if day == 1 else str(day)
    if language != "en":
        return str(day)
    suffix = {1: "st", 2: "nd", 3: "rd"}.get(day % 10 if day % 100 not in (11, 12, 13) else 0, "th")
    return f"{day}{suffix}"


def format_date(value: date, template: str, words: Lists, language: str) -> str:
    """`value` in the style of `template` with the month names of a language."""
    months = words.get("months_genitive", words["months"])
    return template.format(
        d=value.day,
        dd=f"{value.day:02}",
        m=value.month,
        mm=f"{value.month:02}",
        yy=f"{value.year % 100:02}",
        yyyy=value.year,
        month=months[value.month - 1],
        mon=words["months_short"][value.month - 1],
        MON=words["months_short"][value.month - 1].upper(),
        ord=_ordinal(value.day, language),
    )


def pick_style(rng: Random, habit: str) -> str:
    return rng.choice(STYLES[habit])
