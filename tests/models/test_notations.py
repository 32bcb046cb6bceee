"""Amounts in any notation are read with their scale and sign, or are not certain."""

import os
import re
from collections.abc import Iterator
from decimal import Decimal
from random import Random

import pytest
from babel import Locale
from babel.numbers import format_currency, format_decimal, get_currency_precision, get_territory_currencies

from models.pipeline import Pipeline
from serve_app.domain.invoice import Confidence, Field
from tests.support.drawn_invoices import SUMS, Sums, Write, invoice_of, is_right_or_unsure, read_back

PAGES = int(os.environ.get("NOTATION_PAGES", "40"))
_LOCALES = (
    "ar_EG bg_BG bn_BD cs_CZ da_DK de_AT de_CH de_DE el_GR en_GB en_IN en_US en_ZA es_ES es_MX et_EE fa_IR fi_FI "
    "fr_CA fr_CH fr_FR he_IL hi_IN hr_HR hu_HU id_ID is_IS it_IT ja_JP ko_KR lv_LV mr_IN nb_NO nl_NL pl_PL pt_BR "
    "pt_PT ro_RO sv_SE th_TH tr_TR uk_UA vi_VN zh_TW"
)


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return Pipeline()


def in_pounds(value: Decimal) -> str:
    return f"{value:,.2f}"


def raised(value: Decimal) -> str:
    whole, cents = f"{value:,.2f}".split(".")
    return f"${whole}<sup>{cents}</sup>"


NOTATIONS: dict[str, Write] = {
    "raised cents": raised,
    "small raised cents": lambda value: raised(value).replace("<sup>", "<sup style='font-size:50%'>"),
    "dash before cents": lambda value: f"R{value:,.2f}".replace(".", "-").replace(",", " "),
    "currency before cents": lambda value: f"{value:.2f}".replace(".", "€"),
    "colon before cents": lambda value: f"kr {value:,.2f}".replace(".", ":").replace(",", " "),
    "asterisks": lambda value: f"$****{value:,.2f}**",
    "thin blanks": lambda value: f"{value:,.2f} zł".replace(",", "\u2009").replace(".", ","),
    "a dash behind all": lambda value: f"€ {value:,.2f}-",
    "Arabic digits": lambda value: format_decimal(value, "#,##0.00", "ar_EG", numbering_system="arab"),
}


@pytest.mark.parametrize("notation", NOTATIONS)
def test_sums_have_their_scale_and_sign(pipeline: Pipeline, notation: str) -> None:
    extraction = read_back(pipeline, invoice_of(SUMS, NOTATIONS[notation]))
    assert (extraction.amount, extraction.tax) == (SUMS.total, SUMS.tax)


def test_the_mark_of_a_footnote_is_no_digit(pipeline: Pipeline) -> None:
    extraction = read_back(pipeline, invoice_of(SUMS, lambda value: f"£{value:,.2f}<sup>1</sup>"))
    assert (extraction.amount, extraction.tax) == (SUMS.total, SUMS.tax)


def test_dot_leaders_are_no_part_of_a_sum(pipeline: Pipeline) -> None:
    leaders = re.sub(r"<td>(Net|VAT 20%|Total payable)<td>", rf"<tr><td>\1{'.' * 40}", invoice_of(SUMS, in_pounds))
    extraction = read_back(pipeline, leaders.replace("........<tr>", "........"))
    assert (extraction.amount, extraction.tax) == (SUMS.total, SUMS.tax)


def test_a_dash_on_a_credit_note_makes_its_sums_negative(pipeline: Pipeline) -> None:
    extraction = read_back(pipeline, invoice_of(SUMS, lambda value: f"€{value:,.2f}-", title="Credit note"))
    assert extraction.amount in (-SUMS.total, SUMS.total)
    assert is_right_or_unsure(extraction, SUMS) or extraction.amount == -SUMS.total


def cases() -> Iterator[tuple[str, int]]:
    for index in range(PAGES):
        yield _LOCALES.split()[index % len(_LOCALES.split())], index


@pytest.mark.parametrize(("locale", "seed"), list(cases()))
def test_amounts_of_every_locale_are_right_or_not_certain(pipeline: Pipeline, locale: str, seed: int) -> None:
    random = Random(seed)
    currency = get_territory_currencies(str(Locale.parse(locale).territory))[-1]
    cents = Decimal(1).scaleb(-get_currency_precision(currency))
    sums = Sums(tuple((random.randint(1, 30), some_price(random, cents)) for _ in range(2)), cents)  # type: ignore[arg-type]
    write = some_notation(random, locale, currency, cents)
    extraction = read_back(pipeline, invoice_of(sums, write))
    assert is_right_or_unsure(extraction, sums), (extraction.amount, extraction.tax, sums, write(sums.total))


def some_price(random: Random, cents: Decimal) -> Decimal:
    largest = 10 ** random.randint(2, 6)
    return (Decimal(random.randint(100, 100 * largest)) / 100).quantize(cents) + (0 if cents < 1 else 5)


def some_notation(random: Random, locale: str, currency: str, cents: Decimal) -> Write:
    """A way in which people of a country write sums: with its sign, its code or nothing, and in its own digits or
    not."""
    numbering = random.choice(["default", "latn"])
    pattern = f"#,##0{'.' if cents < 1 else ''}{'0' * -int(cents.as_tuple().exponent)}"
    if random.random() < 0.5:
        return lambda value: format_currency(value, currency, locale=locale, numbering_system=numbering)
    code = random.choice(["", f" {currency}"])
    return lambda value: format_decimal(value, pattern, locale, numbering_system=numbering) + code


def test_the_pages_are_read_at_all(pipeline: Pipeline) -> None:
    extraction = read_back(pipeline, invoice_of(SUMS, in_pounds))
    assert extraction.field_confidence is not None
    assert extraction.field_confidence[Field.AMOUNT] is Confidence.HIGH
    assert (extraction.amount, extraction.tax) == (SUMS.total, SUMS.tax)
