"""How numbers and amounts are printed."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from random import Random

CENT = Decimal("0.01")
# Currencies that are (almost) always printed without decimals.
WHOLE = frozenset({"JPY", "KRW", "CLP", "IDR", "VND"})
SYMBOLS: dict[str, tuple[str, ...]] = {
    "EUR": ("€", "€", "€", "€", "€", "Euro", "Eur", "EURO"), "USD": ("$", "$", "$", "US$", "US $", "$US", "USD$"),
    "GBP": ("£",), "CHF": ("Fr.", "CHF", "SFr."), "INR": ("₹", "₹", "Rs.", "Rs", "INR."), "MYR": ("RM",),
    "SGD": ("S$", "$", "SGD$"), "TRY": ("₺", "TL", "TL"), "CZK": ("Kč", "Kč", "Kc"), "HUF": ("Ft",),
    "PLN": ("zł", "zł", "PLN", "zl"), "JPY": ("¥", "円"), "CAD": ("$", "CA$", "C$", "CDN$", "CAD$", "CAD $"),
    "AUD": ("$", "$", "A$", "AU$", "AUD$"), "BRL": ("R$",), "MXN": ("$", "MX$"), "SEK": ("kr",), "DKK": ("kr.", "kr"),
    "NOK": ("kr",), "ZAR": ("R",), "AED": ("AED", "Dhs"), "NZD": ("$", "NZ$", "NZD$"), "HKD": ("HK$", "$", "HK$"),
    "RON": ("lei", "RON"), "PHP": ("₱", "PHP"), "THB": ("฿",), "CNY": ("¥", "RMB"), "KRW": ("₩",), "IDR": ("Rp",),
    "ILS": ("₪",), "SAR": ("SAR", "SR"), "CLP": ("$",),
}  # fmt: skip


def quantize(value: Decimal, currency: str = "EUR") -> Decimal:
    """`value` rounded to the currency's smallest amount."""
    return value.quantize(Decimal(1) if currency in WHOLE else CENT, ROUND_HALF_UP)


def group_digits(digits: str, separator: str, indian: bool = False) -> str:
    """Thousands grouped: 1 234 567 or 12,34,567."""
    if len(digits) <= 3 or not separator:
        return digits
    head, tail = digits[:-3], digits[-3:]
    step = 2 if indian else 3
    parts = [head[max(0, end - step) : end] for end in range(len(head), 0, -step)]
    return separator.join([*reversed(parts), tail])


@dataclass(frozen=True, slots=True)
class NumberStyle:
    """Thousands and decimal separators, the mark of negative numbers, and the notation for no cents."""

    thousands: str
    decimal: str
    indian: bool = False
    negative: str = "-{}"
    zero_cents: str = ""

    def format(self, value: Decimal, places: int = 2) -> str:
        text = f"{abs(value):.{places}f}"
        whole, _, cents = text.partition(".")
        text = group_digits(whole, self.thousands, self.indian)
        if cents:
            text += self.decimal + (self.zero_cents if self.zero_cents and not int(cents) else cents)
        return self.negative.format(text) if value < 0 else text


NUMBERS: dict[str, tuple[NumberStyle, ...]] = {
    "point": (NumberStyle(",", "."), NumberStyle(",", "."), NumberStyle("", ".")),
    "comma": (NumberStyle(".", ","), NumberStyle(".", ","), NumberStyle("", ",")),
    "space": (NumberStyle(" ", ","), NumberStyle(" ", ","), NumberStyle("", ","), NumberStyle(".", ",")),
    "swiss": (NumberStyle("'", "."), NumberStyle("'", "."), NumberStyle("", "."), NumberStyle("’", ".")),
    "indian": (NumberStyle(",", ".", indian=True), NumberStyle(",", "."), NumberStyle("", ".")),
}
NEGATIVES = ("-{}", "-{}", "-{}", "-{}", "{}-", "({})", "−{}", "- {}", "{}CR")


class Placement:
    """Where the currency stands, as templates of currency and number."""

    GLUED_BEFORE = "{c}{n}"
    BEFORE = "{c} {n}"
    AFTER = "{n} {c}"
    GLUED_AFTER = "{n}{c}"
    NONE = "{n}"


@dataclass(frozen=True, slots=True)
class MoneyStyle:
    """How amounts are printed in one place of a document (its table or its totals)."""

    template: str
    mark: str
    numbers: NumberStyle
    places: int = 2

    def plain(self, value: Decimal, places: int | None = None) -> str:
        return self.numbers.format(value, self.places if places is None else places)


def pick_mark(rng: Random, currency: str) -> str:
    """The code or a symbol of `currency`."""
    return currency if rng.random() < 0.45 else rng.choice(SYMBOLS.get(currency, (currency,)))


def pick_placement(rng: Random, mark: str, before: bool) -> str:
    """Where to put `mark`; `before`: the country's convention."""
    if rng.random() < 0.12:
        before = not before
    glued = rng.random() < (0.75 if len(mark) < 3 and before else 0.1)
    if before:
        return Placement.GLUED_BEFORE if glued else Placement.BEFORE
    return Placement.GLUED_AFTER if glued else Placement.AFTER
