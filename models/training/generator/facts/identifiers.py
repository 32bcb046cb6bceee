"""Numbers of all shapes: of invoices, customers, orders, deliveries.

The shapes are in `lists/common.txt`: `y` stands for the year, `s` for its last two digits, `o` for the month, the rest
is as in `fill`. Usual shapes are repeated.
"""

from datetime import date
from random import Random

from models.training.generator.core.lists import load
from models.training.generator.facts.countries import fill


def _number(kind: str, rng: Random, day: date) -> str:
    shape = rng.choice(load("lists", "common")[kind])
    shape = shape.replace("y", str(day.year)).replace("s", f"{day.year % 100:02}").replace("o", f"{day.month:02}")
    text = fill(shape, rng)
    return text if text.strip("0") else "1" + text[1:]


def invoice_number(rng: Random, day: date) -> str:
    return _number("invoice", rng, day)


def credit_number(rng: Random, day: date) -> str:
    return _number("credit", rng, day)


def other_number(rng: Random, day: date) -> str:
    return _number("other", rng, day)


def receipt_number(rng: Random, day: date) -> str:
    return _number("receipt", rng, day)
