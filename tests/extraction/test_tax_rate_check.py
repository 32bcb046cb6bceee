"""A tax that no rate of the supplier's country gives."""

from datetime import date
from decimal import Decimal

import pytest

from serve_app.domain.invoice import CheckKind, CheckSeverity, Details, Extraction, TaxLine
from serve_app.extraction.checks.tax_rate import tax_rate_check
from serve_app.extraction.knowledge import countries

GERMAN, GREEK, INDIAN, AUSTRALIAN = "DE136695976", "EL094259216", "27AAPFU0939F1ZV", "51824753556"


def line(rate: str, base: str | None = "100") -> TaxLine:
    amount = Decimal(base or 100) * Decimal(rate) / 100
    return TaxLine(rate=Decimal(rate), base=None if base is None else Decimal(base), amount=amount)


def invoice(
    amount: str,
    tax: str,
    day: str,
    number: str | None = GERMAN,
    currency: str = "EUR",
    *,
    lines: tuple[TaxLine, ...] = (),
) -> Extraction:
    return Extraction(
        amount=Decimal(amount),
        tax=Decimal(tax),
        currency=currency,
        issued_at=date.fromisoformat(day),
        details=Details(vendor_tax_id=number, tax_lines=list(lines)),
    )


class TestUnknownRates:
    @pytest.mark.parametrize(
        ("found", "text"),
        [
            (invoice("123", "23", "2024-03-05"), "23 % is no rate of tax in DE on the issue date."),
            (invoice("121", "21", "2024-03-05", None, "CHF"), "21 % is no rate of tax in CH on the issue date."),
            (invoice("130", "30", "2024-03-05", GREEK), "30 % is no rate of tax in GR on the issue date."),
            (invoice("115", "15", "2024-03-05", AUSTRALIAN, "AUD"), "15 % is no rate of tax in AU on the issue date."),
        ],
    )
    def test_more_than_the_highest_is_a_notice(self, found: Extraction, text: str) -> None:
        check = tax_rate_check(found)
        assert check is not None
        assert (check.kind, check.severity, check.text) == (CheckKind.TAX_RATE_UNKNOWN, CheckSeverity.NOTICE, text)

    def test_printed_rate_that_gives_its_tax_is_a_notice(self) -> None:
        check = tax_rate_check(invoice("117", "17", "2024-03-05", lines=(line("17"),)))
        assert check is not None
        assert check.text.startswith("17 %")

    def test_rate_counts_on_its_days_and_for_late_invoices(self) -> None:
        def is_known(day: str) -> bool:
            return tax_rate_check(invoice("116", "16", day, lines=(line("16"),))) is None

        assert [is_known(day) for day in ("2020-06-30", "2020-07-01", "2021-03-01", "2022-03-01")] == [
            False,
            True,
            True,
            False,
        ]


class TestUsualInvoices:
    @pytest.mark.parametrize(
        "found",
        [
            invoice("119", "19", "2024-03-05"),
            invoice("113", "13", "2024-03-05"),  # of both rates together
            invoice("100", "0", "2024-03-05"),
            invoice("119.20", "19.20", "2024-03-05"),
            invoice("9", "3", "2024-03-05"),
            invoice("130", "30", "2014-12-31"),
            invoice("130", "30", "2024-03-05", None),  # many countries have the euro
            invoice("130", "30", "2024-03-05", "XX123"),
            invoice("118", "18", "2024-03-05", INDIAN, "INR"),
            invoice("117", "17", "2024-03-05", lines=(line("17", None),)),
        ],
    )
    def test_are_no_finding(self, found: Extraction) -> None:
        assert tax_rate_check(found) is None

    def test_of_a_supplier_whose_account_is_in_another_country_are_no_finding(self) -> None:
        found = invoice("121", "21", "2024-03-05", None, "CHF")
        abroad = Details(iban="DE88200800000970375700")
        assert tax_rate_check(found.model_copy(update={"details": abroad})) is None

    def test_without_a_date_or_a_sum_there_is_none(self) -> None:
        assert tax_rate_check(Extraction()) is None


def test_files_have_days_in_order_and_rates_once() -> None:
    for country in countries().values():
        for rates in country.vat_rates:
            assert rates.since is None or rates.until is None or rates.since < rates.until
            assert len(set(rates.rates)) == len(rates.rates)
            assert all(0 < rate <= 40 for rate in rates.rates)
