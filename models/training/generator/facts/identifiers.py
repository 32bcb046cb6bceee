"""Numbers of all shapes: of invoices, customers, orders, deliveries.

The shapes are in `lists/common.txt`: `y` stands for the year, `s` for its last two digits, `o` for the month, the rest
is as in `fill`. Usual shapes are repeated.
"""

from datetime import date
from random import Random
from string import ascii_letters, digits

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


def signature_number(rng: Random) -> str:
    """What identifies or signs an electronic invoice: a UUID, a hash in one or several words, a long key of digits."""
    shape = rng.choice(("uuid", "uuid", "hash", "hash", "key", "base64"))
    if shape == "uuid":
        return uuid_like(rng)
    if shape == "key":
        return " ".join(fill("####", rng) for _ in range(11))
    if shape == "base64":
        return "".join(rng.choices(ascii_letters + digits + "+/", k=rng.choice((43, 63, 87)))) + "="
    text = "".join(rng.choices("0123456789abcdef", k=rng.choice((40, 64))))
    if rng.random() < 0.5:
        text = " ".join(text[start : start + 16] for start in range(0, len(text), 16))
    return text.upper() if rng.random() < 0.3 else text


def uuid_like(rng: Random) -> str:
    text = "".join(rng.choices("0123456789abcdef", k=32))
    text = "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))
    return text.upper() if rng.random() < 0.4 else text
