"""The look of one document: fonts, margins, how labels, amounts and dates are written."""

from dataclasses import dataclass
from random import Random

from models.training.generator.core import dates
from models.training.generator.core.fonts import Font
from models.training.generator.core.numbers import (
    NEGATIVES,
    NUMBERS,
    WHOLE,
    MoneyStyle,
    NumberStyle,
    Placement,
    pick_mark,
    pick_placement,
)
from models.training.generator.facts.case import Case

# The share of documents without any cents that do not print `.00`.
_WHOLE_SHARE = 0.6
# Countries where `.--` and `,-` stand for no cents.
_DASHES = frozenset({"CZ", "CH", "AT", "DE", "NL", "DK", "NO"})

A4, LETTER = (595.0, 842.0), (612.0, 792.0)


@dataclass(slots=True)
class Style:
    width: float
    height: float
    margin: float
    font: Font
    size: float
    leading: float
    suffix: str
    gap: str
    label_bold: bool
    label_case: str
    value_bold: bool
    table_money: MoneyStyle
    totals_money: MoneyStyle
    date: str
    short_date: str
    rate_places: int
    rate_template: str


def _numbers(rng: Random, case: Case) -> NumberStyle:
    habit = case.country.numbers
    if rng.random() < 0.06:
        habit = rng.choice(("point", "comma", "space"))
    base = rng.choice(NUMBERS[habit])
    dashes = rng.choice(("", "", "--", "-")) if case.country.code in _DASHES and rng.random() < 0.06 else ""
    return NumberStyle(base.thousands, base.decimal, base.indian, rng.choice(NEGATIVES), dashes)


def _money(rng: Random, case: Case) -> tuple[MoneyStyle, MoneyStyle]:
    """The styles of the table and of the totals: alike, or with the currency in one of them only."""
    numbers, mark = _numbers(rng, case), pick_mark(rng, case.currency)
    template = pick_placement(rng, mark, case.country.symbol_before)
    if case.currency == "INR" and rng.random() < 0.1:
        template += "/-"
    whole = case.is_whole
    places = 0 if whole and (case.currency in WHOLE or rng.random() < _WHOLE_SHARE) else 2
    table_places = 0 if whole and (case.currency in WHOLE or rng.random() < (0.85 if places == 0 else 0.1)) else 2
    draw = rng.random()
    in_table = template if draw < 0.3 else Placement.NONE
    in_totals = template if draw < 0.78 else Placement.NONE
    return MoneyStyle(in_table, mark, numbers, table_places), MoneyStyle(in_totals, mark, numbers, places)


def draw_style(rng: Random, case: Case) -> Style:
    """A random style that suits a case."""
    letter = case.country.code in ("US", "CA", "PH", "MX") or rng.random() < 0.05
    width, height = LETTER if letter else A4
    table_money, totals_money = _money(rng, case)
    habit = "gb" if case.language == "en" and case.country.dates in ("de",) else case.country.dates
    date = dates.pick_style(rng, habit)
    return Style(
        width=width,
        height=height,
        margin=rng.uniform(28, 78),
        font=rng.choices((Font.SANS, Font.SERIF, Font.MONO), (75, 18, 7))[0],
        size=rng.choice((7.0, 7.5, 8.0, 8.0, 8.5, 9.0, 9.0, 9.0, 9.5, 10.0, 10.0, 10.0, 10.5, 11.0)),
        leading=rng.uniform(1.12, 1.75),
        suffix=rng.choice((":", ":", ":", ":", "", "", " :", ": ")),
        gap="" if rng.random() < 0.06 else " ",
        label_bold=rng.random() < 0.4,
        label_case=rng.choices(("as is", "upper", "lower"), (82, 15, 3))[0],
        value_bold=rng.random() < 0.12,
        table_money=table_money,
        totals_money=totals_money,
        date=date,
        short_date=date if rng.random() < 0.85 else dates.pick_style(rng, habit),
        rate_places=rng.choice((0, 0, 0, 1, 2)),
        rate_template=rng.choice(("{}%", "{}%", "{}%", "{} %", "{} %", "{}")),
    )
