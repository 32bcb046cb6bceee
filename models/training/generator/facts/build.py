"""Make cases: consistent facts drawn at random."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from math import sqrt
from random import Random

from models.training.generator.core.lists import load
from models.training.generator.core.numbers import WHOLE, quantize
from models.training.generator.core.profile import Profile
from models.training.generator.facts import identifiers
from models.training.generator.facts.case import Case, TaxRow
from models.training.generator.facts.countries import COUNTRIES, Country
from models.training.generator.facts.items import ZERO, Item, discounted, log_uniform, make_item
from models.training.generator.facts.parties import make_party

OTHER_NUMBERS = ("customer_number", "order_number", "delivery_number", "supplier_number", "other_number")
FIRST_DAY = date(2009, 1, 1)
_CASH_STEPS = {
    "CHF": "0.05",
    "MYR": "0.05",
    "INR": "1",
    "CZK": "1",
    "SEK": "1",
    "DKK": "0.50",
    "HUF": "5",
    "AUD": "0.05",
    "SGD": "0.05",
    "NZD": "0.10",
    "ZAR": "0.10",
    "EUR": "0.05",
}
_EXPENSIVE = {
    "HUF": 80.0,
    "JPY": 100.0,
    "INR": 20.0,
    "CZK": 12.0,
    "TRY": 8.0,
    "RON": 3.0,
    "PHP": 20.0,
    "SEK": 8.0,
    "NOK": 8.0,
}


# How often all amounts of a document are whole, by country; where prices are high, cents are rarely printed.
_WHOLE_SHARES = {"TR": 0.22, "CZ": 0.22, "IN": 0.22, "PL": 0.12, "SE": 0.15, "NO": 0.15, "DK": 0.12, "RO": 0.12}
_WHOLE_SHARE = 0.07
# Whole prices are multiples of this, so that taxes at whole percentages are whole, too.
_STEP = 100
_WITHHOLDING = {"ES": "15", "IT": "20", "PT": "25", "BR": "1.5", "TR": "20", "IN": "10", "MX": "10"}


@dataclass(frozen=True, slots=True)
class Brief:
    """What a layout family requires of its case."""

    goods: tuple[str, ...] = ("goods", "goods", "services", "services", "software")
    rows: tuple[int, int] = (1, 9)
    long_share: float = 0.14
    gross_share: float = 0.12
    several_rates: float = 0.25
    untaxed: float = 0.1
    service: float = 0.0
    arrears: float = 0.0
    prepaid: float = 0.1
    withheld: float = 0.03
    seller: str = "company"
    buyer_person: float = 0.25
    cash: bool = False
    credit_share: float = 0.05
    countries: tuple[str, ...] = ()
    scale: float = 1.0


def pick_country(rng: Random, profile: Profile, brief: Brief) -> Country:
    choices = [country for country in COUNTRIES if not brief.countries or country.code in brief.countries]
    return rng.choices(choices, [country.weight * sqrt(profile.weight(country.code)) for country in choices])[0]


def _items(
    rng: Random, country: Country, language: str, brief: Brief, day: date, currency: str, rates: Sequence[Decimal]
) -> list[Item]:
    low, high = brief.rows
    count = min(rng.randint(low, high), rng.randint(low, high) + 1) if rng.random() < 0.6 else rng.randint(low, high)
    if rng.random() < brief.long_share:
        count = rng.choices((rng.randint(10, 25), rng.randint(20, 45), rng.randint(40, 100)), (6, 3, 1))[0]
    words, kind = load("wordings", language), rng.choice(brief.goods)
    scale = brief.scale * _EXPENSIVE.get(currency, 1.0) * float(log_uniform(rng, 0.3, 6 if brief.cash else 60))
    kinds = [rng.choice(brief.goods) if rng.random() < 0.15 else kind for _ in range(count)]
    items = [make_item(rng, words, each, day, currency, scale, rng.choice(rates), cash=brief.cash) for each in kinds]
    if not brief.cash and rng.random() < _WHOLE_SHARES.get(country.code, _WHOLE_SHARE):
        return [_whole(item, _STEP if any(rates) else 1) for item in items]
    return items


def _whole(item: Item, step: int) -> Item:
    """The item in round numbers: the price a multiple of `step`."""
    quantity = max(Decimal(1), item.quantity.quantize(Decimal(1)))
    price = max(1, round(item.unit_price / step)) * Decimal(step)
    return replace(item, quantity=quantity, unit_price=price, total=quantity * price)


def _rates(rng: Random, country: Country, brief: Brief) -> list[Decimal]:
    if rng.random() < brief.untaxed:
        return [ZERO]
    usual = [Decimal(rate) for rate in country.rates]
    if len(usual) > 1 and country.code not in ("US", "CA") and rng.random() < brief.several_rates:
        return rng.sample(usual, 2) if len(usual) < 3 or rng.random() < 0.8 else rng.sample(usual, 3)
    return [usual[0]] if rng.random() < 0.7 and country.code != "US" else [rng.choice(usual)]


def _tax_rows(name: str, sums: dict[Decimal, Decimal], gross: bool, currency: str) -> tuple[TaxRow, ...]:
    rows = []
    for rate, value in sorted(sums.items(), reverse=True):
        if gross:
            tax = quantize(value * rate / (100 + rate), currency)
            rows.append(TaxRow(name, rate, value - tax, tax))
        else:
            rows.append(TaxRow(name, rate, value, quantize(value * rate / 100, currency)))
    return tuple(rows)


def _halves(rows: tuple[TaxRow, ...], currency: str) -> tuple[TaxRow, ...]:
    """Indian taxes of one state: each rate is printed as a central and a state half.

    Only one half carries the net amount, so that sums over all rows stay right.
    """
    halves: list[TaxRow] = []
    for row in rows:
        half = quantize(row.tax / 2, currency)
        halves += [TaxRow("CGST", row.rate / 2, row.net, half), TaxRow("SGST", row.rate / 2, ZERO, half)]
    return tuple(halves)


def _extra_amount(rng: Random, base: Decimal, currency: str, share: float, chance: float) -> Decimal:
    """A part of `base` or nothing; a multiple of `_STEP` if `base` is one."""
    if rng.random() >= chance:
        return ZERO
    part = base * Decimal(str(round(rng.uniform(0.01, share), 3)))
    return quantize(part / _STEP, "JPY") * _STEP if not base % _STEP else quantize(part, currency)


def _charge(rng: Random, lines_sum: Decimal, currency: str, brief: Brief) -> tuple[str, Decimal]:
    """What is added to the items: its kind (a word list) and amount."""
    if rng.random() < brief.service:
        return "service_charge", quantize(lines_sum * rng.choice((Decimal("0.1"), Decimal("0.125"))), currency)
    kind = "surcharge" if rng.random() < 0.35 else "shipping"
    return kind, _extra_amount(rng, min(lines_sum, Decimal(900)), currency, 0.3, 0.0 if brief.cash else 0.2)


def _rounding(rng: Random, total: Decimal, currency: str, cash: bool) -> Decimal:
    if currency not in _CASH_STEPS or currency in WHOLE or rng.random() > (0.3 if cash and currency != "EUR" else 0.04):
        return ZERO
    step = Decimal(_CASH_STEPS[currency])
    return (total / step).quantize(Decimal(1), ROUND_HALF_UP) * step - total


def _amounts(rng: Random, case: Case, brief: Brief) -> Case:
    """The case with its sums: discount and shipping belong to the highest rate."""
    currency, gross = case.currency, case.gross_prices
    sums: dict[Decimal, Decimal] = {}
    for item in case.items:
        sums[item.rate] = sums.get(item.rate, ZERO) + item.total
    lines_sum = sum(sums.values(), ZERO)
    discount = _extra_amount(rng, lines_sum, currency, 0.2, 0.13)
    charge, shipping = _charge(rng, lines_sum, currency, brief)
    sums[max(sums)] += shipping - discount
    if sums[max(sums)] < 0:
        sums[max(sums)] += discount - shipping
        discount = shipping = ZERO
    taxes = _tax_rows(rng.choice(case.country.taxes), sums, gross, currency)
    if case.country.code == "IN" and not gross and any(row.tax for row in taxes) and rng.random() < 0.6:
        taxes = _halves(taxes, currency)
    case = replace(case, charge=charge, lines_sum=lines_sum, discount=discount, shipping=shipping, taxes=taxes)
    case = replace(case, rounding=_rounding(rng, case.total, currency, brief.cash))
    if brief.cash:
        return case
    paid = _paid(rng, case, brief)
    return replace(case, paid=paid) if paid else _withheld(rng, case, brief)


def _withheld(rng: Random, case: Case, brief: Brief) -> Case:
    """Where customary, a part of the net sum that the customer pays to the tax office or keeps as security."""
    rate = _WITHHOLDING.get(case.country.code)
    if rng.random() > brief.withheld * (2 if rate else 1):
        return case
    kind = "withholding" if rate and rng.random() < 0.7 else "retention"
    percent = Decimal(rate) if rate and kind == "withholding" else Decimal(rng.choice((5, 5, 10)))
    withheld = quantize(case.net * percent / 100, case.currency)
    return replace(case, withheld=withheld, withheld_rate=percent, withheld_kind=kind)


def _paid(rng: Random, case: Case, brief: Brief) -> Decimal:
    """What was paid before; below zero: what is owed from before."""
    if rng.random() < brief.arrears:
        return -quantize(case.total * Decimal(str(round(rng.uniform(0.05, 1.2), 2))), case.currency)
    if rng.random() > brief.prepaid:
        return ZERO
    if rng.random() < 0.4:
        return case.total
    return quantize(case.total * Decimal(str(round(rng.uniform(0.1, 0.8), 2))), case.currency)


def _look_alike(rng: Random, issued: date) -> str:
    """A number of another kind, often in the shape of an invoice number."""
    return (identifiers.invoice_number if rng.random() < 0.35 else identifiers.other_number)(rng, issued)


def build_case(rng: Random, profile: Profile, brief: Brief) -> Case:
    """Facts for one document."""
    country = pick_country(rng, profile, brief)
    language = rng.choice(country.languages)
    foreign = rng.random() < (0.01 if brief.cash else 0.06)
    currency = (
        rng.choice(("EUR", "USD", "GBP", "CHF", "USD", "EUR", "THB", "CNY", "ILS", "SAR"))
        if foreign
        else country.currency
    )
    issued = FIRST_DAY + timedelta(days=rng.randint(0, 6400))
    days = rng.choice((7, 8, 10, 14, 14, 15, 20, 21, 30, 30, 30, 30, 45, 60, 90))
    items = _items(rng, country, language, brief, issued, currency, _rates(rng, country, brief))
    row_discounts = not brief.cash and rng.random() < 0.12
    if row_discounts:
        items = [replace(item, total=discounted(item, currency)) for item in items]
    abroad = pick_country(rng, profile, Brief()) if rng.random() < 0.1 and not brief.cash else country
    start = issued - timedelta(days=rng.randint(8, 60))
    credit = rng.random() < brief.credit_share
    case = Case(
        country=country,
        language=language,
        currency=currency,
        seller=make_party(
            country,
            language,
            rng,
            kind="practice" if brief.seller == "company" and rng.random() < 0.09 else brief.seller,
        ),
        buyer=make_party(abroad, language, rng, kind="person" if rng.random() < brief.buyer_person else "company"),
        number=identifiers.credit_number(rng, issued)
        if credit
        else (identifiers.receipt_number if brief.cash else identifiers.invoice_number)(rng, issued),
        issued=issued,
        due=issued + timedelta(days=days),
        other_date=issued - timedelta(days=rng.randint(0, 45)),
        period=(start, start + timedelta(days=rng.randint(6, 30))),
        days=days,
        items=tuple(items),
        gross_prices=rng.random() < brief.gross_share,
        row_discounts=row_discounts,
        lines_sum=ZERO,
        discount=ZERO,
        shipping=ZERO,
        taxes=(),
        rounding=ZERO,
        paid=ZERO,
        numbers={key: _look_alike(rng, issued) for key in OTHER_NUMBERS},
        kind="credit" if credit else "invoice",
    )
    case = _amounts(rng, case, brief)
    return case.negated() if credit and rng.random() < 0.5 else case
