"""Numbers, money and dates in the reader's locale."""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_datetime
from babel.numbers import format_currency, format_decimal, format_percent, get_currency_precision

from serve_app.web.notation import Notation, notation_of

_DEFAULT = "en_GB"
_MAX_LANGUAGES = 10


@dataclass(frozen=True, slots=True)
class Formats:
    """Writes values as people of a locale do. None becomes an en dash, so that tables keep their columns."""

    locale: Locale

    @property
    def tag(self) -> str:
        """The locale as browsers name it."""
        return str(self.locale).replace("_", "-")

    @property
    def notation(self) -> Notation:
        """How the same values are read when somebody types them."""
        return notation_of(self.locale)

    def number(self, value: int | Decimal | None) -> str:
        return _NOTHING if value is None else str(format_decimal(value, locale=self.locale, decimal_quantization=False))

    def money(self, amount: Decimal | None, currency: str | None) -> str:
        """With at least the decimals that the currency has, and all that the amount has. The code stands beside the
        number: `$` would not say which dollar."""
        if amount is None or currency is None:
            return self.number(amount)
        return f"{self.amount(amount, currency)} {currency}"

    def amount(self, amount: Decimal, currency: str) -> str:
        """The number alone, with the same decimals."""
        decimals = max(get_currency_precision(currency), -int(amount.as_tuple().exponent))
        pattern = "#,##0" + ("." + "0" * decimals if decimals else "")
        return str(format_currency(amount, currency, pattern, locale=self.locale, currency_digits=False))

    def percent(self, share: float | Decimal | None) -> str:
        return _NOTHING if share is None else str(format_percent(share, locale=self.locale))

    def day(self, value: date | None) -> str:
        return _NOTHING if value is None else _day(value, self.locale)

    def month(self, value: date) -> str:
        """A month and the last two digits of its year."""
        return str(format_date(value, "MMM yy", locale=self.locale))

    def moment(self, value: datetime | None, *, seconds: bool = False) -> str:
        """In UTC, to the minute or the second; a script shows it in the reader's time zone."""
        pattern = "d MMM y, HH:mm:ss" if seconds else "d MMM y, HH:mm"
        return _NOTHING if value is None else str(format_datetime(value, pattern, locale=self.locale)) + " UTC"

    def bytes(self, size: int) -> str:
        """A size in kB or MB of 1,000 and 1,000,000 bytes."""
        kilobytes = max(1, round(size / 1000))
        if kilobytes < 1000:
            return f"{self.number(kilobytes)} kB"
        return f"{self.number(round(Decimal(size) / 10**6, 1))} MB"


_NOTHING = "–"


@lru_cache(maxsize=4096)
def _day(value: date, locale: Locale) -> str:
    """Lists repeat the days of a few months."""
    return str(format_date(value, "medium", locale=locale))


@lru_cache(maxsize=256)
def formats_of(accept_language: str) -> Formats:
    """The formats for an `Accept-Language` header (RFC 9110, 12.5.4): those of the first language that is known."""
    for tag in _preferred(accept_language):
        try:
            return Formats(Locale.parse(tag, sep="-"))
        except (UnknownLocaleError, ValueError):
            continue
    return Formats(Locale.parse(_DEFAULT))


def _preferred(header: str) -> list[str]:
    """The language tags, best first. Plain English is read as the default, whose dates name the month."""
    weighted = []
    for place, part in enumerate(header.split(",")[:_MAX_LANGUAGES]):
        tag, _, quality = part.strip().partition(";q=")
        try:
            weighted.append((-float(quality or 1), place, tag))
        except ValueError:
            continue
    return [_DEFAULT.replace("_", "-") if tag == "en" else tag for _, _, tag in sorted(weighted) if tag]
