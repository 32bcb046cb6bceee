"""Line items: what is sold, how much of it, and at what price."""

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from math import exp, log
from random import Random

from models.training.generator.core.lists import Lists
from models.training.generator.core.numbers import WHOLE, quantize
from models.training.generator.facts.countries import fill

ZERO = Decimal(0)
_PORTIONS = (
    " 0,5l",
    " 250g",
    " XL",
    " BIO",
    " 1,5L",
    " x6",
    " 2er",
    " (L)",
    " 500 G",
    " MENU",
    " 0.3l",
    " *",
    " 10%",
    " 4x",
)


@dataclass(frozen=True, slots=True)
class Item:
    """One row of an invoice. `total` is quantity times unit price less the row's discount."""

    description: str
    details: tuple[str, ...]
    code: str
    day: date
    quantity: Decimal
    unit: str
    unit_price: Decimal
    discount: Decimal
    rate: Decimal
    total: Decimal


def log_uniform(rng: Random, low: float, high: float) -> Decimal:
    return Decimal(str(round(exp(rng.uniform(log(low), log(high))), 2)))


def _price(rng: Random, scale: float, currency: str) -> Decimal:
    value = log_uniform(rng, 0.4, 300) * Decimal(str(round(scale, 3)))
    if currency in WHOLE or (value > 20 and rng.random() < 0.35):
        value = value.quantize(Decimal(1)) or Decimal(1)
    elif rng.random() < 0.3:
        value = value.quantize(Decimal(1)) + Decimal(rng.choice(("0.99", "0.50", "0.95", "0.90")))
    return max(quantize(value, currency), Decimal("0.05") if currency not in WHOLE else Decimal(1))


def _weight(rng: Random) -> Decimal:
    return log_uniform(rng, 0.1, 60).quantize(Decimal("0.001")).normalize() + ZERO


def _quantity(rng: Random, kind: str, cash: bool) -> Decimal:
    if kind == "services" and rng.random() < 0.6:
        return Decimal(
            rng.choice(("1", "1", "0.5", "1.5", "2", "2.25", "3", "4", "7.5", "8", "12", "40", "0.75", "16", "37.5"))
        )
    if kind == "usage":
        return log_uniform(rng, 1, 900).quantize(Decimal(1)) + 1
    draw = rng.random()
    if draw < 0.45:
        return Decimal(1)
    if kind in ("food", "menu", "travel", "software") or cash:
        return Decimal(rng.choice((1, 2, 2, 2, 3, 3, 4, 5, 6, 10, 12))) if draw < 0.93 else _weight(rng)
    if draw < 0.8:
        return Decimal(rng.randint(2, 12))
    if draw < 0.93:
        return Decimal(rng.choice((10, 15, 20, 24, 25, 30, 48, 50, 100, 120, 144, 250, 500, 1000, 2500, 10000)))
    return _weight(rng)


def _describe(rng: Random, words: Lists, kind: str, day: date) -> str:
    text = rng.choice(words[kind])
    if kind in ("food", "menu"):
        text += rng.choice(_PORTIONS) if rng.random() < 0.3 else ""
        return text.upper() if rng.random() < 0.5 else text
    draw = rng.random() if kind == "goods" else rng.uniform(0.2, 1.4)
    if draw < 0.3:
        text += rng.choice((" ", ", ", " - ", " (")) + rng.choice(words["modifier"])
        text += ")" if "(" in text and ")" not in text else ""
    elif draw < 0.38:
        text = f"{text} {fill(rng.choice(('??-###', '?##', '####', '##/##', '?? ####', '#.# mm')), rng)}"
    elif draw < 0.44:
        text += f" {words['months'][day.month - 1]} {day.year}"
    elif draw < 0.5:
        text = f"{rng.choice(words['modifier']).capitalize()} {text}"
    elif draw < 0.54:
        text = f"{text} / {rng.choice(words[kind])}"
    return text


def make_item(
    rng: Random, words: Lists, kind: str, day: date, currency: str, scale: float, rate: Decimal, *, cash: bool = False
) -> Item:
    """One item of a kind of goods (`goods`, `services`, `food` ...)."""
    quantity = _quantity(rng, kind, cash)
    price = _price(rng, scale / (1 + float(quantity) / 40), currency)
    if kind == "usage":
        price = quantize(price / 20, currency) or Decimal("0.07")
    discount = Decimal(rng.choice((0, 0, 0, 5, 10, 15, 20, 3, 50)))
    details = tuple(rng.sample(words["detail"], rng.choice((0, 0, 1, 1, 2, 3))))
    unit = rng.choice(words["unit_names"])
    return Item(
        description=_describe(rng, words, kind, day),
        details=details,
        code=fill(
            rng.choice(("#####", "######", "####-##", "??-####", "###.###", "?####", "#############", "##-##-###")), rng
        ),
        day=day - timedelta(days=rng.randint(0, 40)),
        quantity=quantity,
        unit=unit,
        unit_price=price,
        discount=discount,
        rate=rate,
        total=quantize(quantity * price, currency),
    )


def discounted(item: Item, currency: str) -> Decimal:
    """The item's total after its discount."""
    return quantize(item.quantity * item.unit_price * (100 - item.discount) / 100, currency)
