"""The facts of one document in the shape that templates need: one tax rate, and sums that follow from the rows."""

import re
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from random import Random

from models.training.generator.core.dates import STYLES, format_date
from models.training.generator.core.lists import load
from models.training.generator.core.numbers import NUMBERS, SYMBOLS, WHOLE, NumberStyle, quantize
from models.training.generator.core.profile import Profile
from models.training.generator.facts import parties
from models.training.generator.facts.build import Brief, build_case
from models.training.generator.facts.case import Case
from models.training.generator.facts.countries import COUNTRIES
from models.training.generator.facts.items import ZERO
from models.training.generator.facts.items import Item as CaseItem

_ENGLISH = ("GB", "US", "CA", "AU", "NZ", "IE", "IN", "SG", "ZA", "MY", "AE", "HK", "PH")
_LATIN = (*_ENGLISH, "DE", "AT", "CH", "FR", "BE", "NL", "ES", "IT", "PT", "SE", "DK", "NO", "BR", "MX")
# The share of documents with English captions that come from an English-speaking country.
_AT_HOME = 0.65
_TRIES = 60


@dataclass(frozen=True, slots=True)
class FactOptions:
    """What a template can show. The sums of its documents contain nothing else."""

    language: str = "en"
    rows: tuple[int, int] = (1, 8)
    long_share: float = 0.08
    tax: bool = True
    discount: bool = False
    shipping: bool = False
    paid: bool = False
    whole_quantities: bool = False
    latin: bool = False
    countries: tuple[str, ...] = ()
    currencies: tuple[str, ...] = ()
    tax_by_line: bool = False
    buyer_person: float = 0.2
    plain_number: bool = False
    longest: int = 60
    goods: tuple[str, ...] = ("goods", "goods", "services", "services", "software")


@dataclass(frozen=True, slots=True)
class Party:
    """A seller or buyer. `place` is post code and city as the country writes them."""

    name: str
    person: str
    street: str
    zip: str
    city: str
    place: str
    country: str
    country_code: str
    phone: str
    mail: str
    web: str
    vat: str
    tax_no: str
    iban: str
    bic: str
    bank: str


@dataclass(frozen=True, slots=True)
class Item:
    """A row. `total` is without tax, `gross` with it."""

    description: str
    details: str
    code: str
    unit: str
    quantity: Decimal
    price: Decimal
    total: Decimal
    tax: Decimal

    @property
    def gross(self) -> Decimal:
        return self.total + self.tax


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that a template may print. Amounts: `net = subtotal - discount + shipping`, `total = net + tax`."""

    language: str
    currency: str
    symbol: str
    numbers: NumberStyle
    places: int
    dates: str
    seller: Party
    buyer: Party
    number: str
    issued: date
    due: date
    delivered: date
    days: int
    order: str
    customer: str
    items: tuple[Item, ...]
    rate: Decimal
    tax_name: str
    subtotal: Decimal
    discount: Decimal
    shipping: Decimal
    tax: Decimal
    paid: Decimal
    note: str

    @property
    def net(self) -> Decimal:
        return self.subtotal - self.discount + self.shipping

    @property
    def total(self) -> Decimal:
        return self.net + self.tax

    @property
    def amount_due(self) -> Decimal:
        return self.total - self.paid

    def plain(self, value: Decimal) -> str:
        """An amount in the document's format, without its currency."""
        return self.numbers.format(value, self.places)

    def count(self, value: Decimal) -> str:
        """A quantity with as many decimals as it has."""
        return self.numbers.format(value, max(0, -int(value.normalize().as_tuple().exponent)))

    def money(self, value: Decimal) -> str:
        """An amount with its symbol: before it, or after it if the decimal separator is a comma."""
        if self.numbers.decimal == ",":
            return f"{self.plain(value)} {self.symbol}"
        gap = " " if self.symbol.isalpha() and len(self.symbol) > 1 else ""
        return f"{self.symbol}{gap}{self.plain(value)}"

    def day(self, value: date) -> str:
        """A date in the document's format."""
        return format_date(value, self.dates, load("wordings", self.language), self.language)


def build_facts(rng: Random, options: FactOptions) -> Facts:
    """Facts whose sums differ from each other, so that an amount on the page identifies itself."""
    for _ in range(_TRIES):
        facts = _facts(rng, options)
        sums = [v for v in (facts.subtotal, facts.discount, facts.shipping, facts.tax, facts.total, facts.paid) if v]
        allowed = len(sums) if facts.tax or facts.discount or facts.shipping else len(sums) - 1
        if len(set(sums)) >= allowed and facts.total > 0 and facts.amount_due >= 0:
            break
    return facts


def _countries(rng: Random, options: FactOptions) -> tuple[str, ...]:
    if options.countries:
        return options.countries
    if options.language != "en":
        return tuple(country.code for country in COUNTRIES if options.language in country.languages)
    if rng.random() < _AT_HOME:
        return _ENGLISH
    return _LATIN if options.latin else ()


def _facts(rng: Random, options: FactOptions) -> Facts:
    brief = Brief(
        goods=options.goods, rows=options.rows, long_share=options.long_share, gross_share=0.0, several_rates=0.0,
        untaxed=0.12 if options.tax else 1.0, prepaid=0.3 if options.paid else 0.0, credit_share=0.0,
        countries=_countries(rng, options), buyer_person=options.buyer_person,
    )  # fmt: skip
    case = build_case(rng, Profile.EXTRACTOR, brief)
    currency = case.currency
    if options.currencies and currency not in options.currencies:
        currency = rng.choice(options.currencies)
    rate = case.items[0].rate
    items = _items(case, options, currency)
    subtotal = sum((item.total for item in items), ZERO)
    discount = (
        quantize(subtotal * rng.randint(2, 20) / 100, currency) if options.discount and rng.random() < 0.4 else ZERO
    )
    shipping = (
        quantize(Decimal(rng.randint(300, 4900)) / 100, currency) if options.shipping and rng.random() < 0.4 else ZERO
    )
    net = subtotal - discount + shipping
    tax = sum((item.tax for item in items), ZERO) if options.tax_by_line else quantize(net * rate / 100, currency)
    paid = quantize((net + tax) * rng.randint(10, 80) / 100, currency) if options.paid and rng.random() < 0.35 else ZERO
    words = load("wordings", case.language)
    return Facts(
        language=options.language, currency=currency,
        symbol=rng.choice(SYMBOLS.get(currency, (currency,))) if rng.random() < 0.7 else currency,
        numbers=rng.choice(NUMBERS[case.country.numbers if currency == case.currency else "point"]),
        places=0 if currency in WHOLE else 2, dates=rng.choice(STYLES[case.country.dates]),
        seller=_party(case.seller), buyer=_party(case.buyer),
        number=str(rng.randint(100, 10 ** rng.randint(4, 7))) if options.plain_number else case.number,
        issued=case.issued, due=case.due, delivered=case.other_date, days=case.days,
        order=case.numbers["order_number"], customer=case.numbers["customer_number"], items=items, rate=rate,
        tax_name=rng.choice(case.country.taxes), subtotal=subtotal, discount=discount, shipping=shipping, tax=tax,
        paid=paid, note=rng.choice(words["thanks"]),
    )  # fmt: skip


def _items(case: Case, options: FactOptions, currency: str) -> tuple[Item, ...]:
    """The rows, each description once: a place is then known by its text."""
    rows: dict[str, Item] = {}
    for item in case.items:
        quantity = item.quantity
        if options.whole_quantities:
            quantity = max(Decimal(1), quantity.quantize(Decimal(1)))
        total = quantize(quantity * item.unit_price, currency)
        tax = quantize(total * item.rate / 100, currency)
        rows.setdefault(
            item.description.casefold()[: options.longest],
            Item(
                item.description[: options.longest].strip(), _detail(item), item.code, item.unit,
                quantity, item.unit_price, total, tax,
            ),
        )  # fmt: skip
    return tuple(rows.values())


def _detail(item: CaseItem) -> str:
    """A further line of the description that has no blanks to fill."""
    return next((text for text in item.details if "{" not in text), "")


def _party(party: parties.Party) -> Party:
    words = party.place.replace(",", " ").split()
    code = " ".join(word for word in words if any(char.isdigit() for char in word))
    city = " ".join(word for word in words if not any(char.isdigit() for char in word))
    return Party(
        name=party.name, person=party.person, street=party.street, zip=code, city=city or party.country.name,
        place=re.sub(r"\s+", " ", party.place), country=party.country.name, country_code=party.country.code,
        phone=party.phone, mail=party.mail, web=f"www.{party.domain}", vat=party.vat, tax_no=party.tax_no,
        iban=party.iban, bic=party.bic, bank=party.bank,
    )  # fmt: skip
