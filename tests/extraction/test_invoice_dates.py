"""Which number of a date is the day, and whether that is known."""

from datetime import date

import pytest

from serve_app.domain.invoice import Field
from serve_app.extraction.candidates.candidate import LIKELY
from serve_app.extraction.confidence.document_evidence import collect_evidence
from serve_app.extraction.dates.invoice_dates import InvoiceDates, invoice_dates
from serve_app.extraction.evidence import gather
from tests.extraction.pages import document_of, reading_of


def dates_of(*lines: str, currency: str | None = "CAD") -> InvoiceDates:
    return invoice_dates(gather(document_of(lines), reading_of(lines)), currency)


def test_the_usual_order_of_the_country_stays_where_its_term_is_possible() -> None:
    # Day first, three days; month first it would be three months.
    found = dates_of("Invoice date 02/03/2024|ISSUE_DATE", "Due date 05/03/2024|DUE_DATE", currency="MYR")
    assert found.issued[0].value == date(2024, 3, 2)


@pytest.mark.parametrize(
    ("line", "currency", "is_known"),
    [
        ("Invoice date 03/02/2011|ISSUE_DATE", "CAD", False),
        ("Invoice date 03/02/2011|ISSUE_DATE", None, False),
        ("Invoice date 03/02/2011|ISSUE_DATE", "GBP", True),
        ("Invoice date 23/02/2011|ISSUE_DATE", "CAD", True),
        ("Invoice date 03/03/2011|ISSUE_DATE", "CAD", True),
    ],
)
def test_a_country_with_two_orders_leaves_the_day_open(line: str, currency: str | None, is_known: bool) -> None:
    assert dates_of(line, currency=currency).is_order_known is is_known


@pytest.mark.parametrize(
    ("line", "is_plausible"),
    [
        ("Invoice date 23/02/2024|ISSUE_DATE", True),
        ("Invoice date 03/02/2024|ISSUE_DATE CA$|CURRENCY", False),
        ("Invoice date 23/02/2024|ISSUE_DATE CA$|CURRENCY", True),
        ("Due date 23/02/2024|ISSUE_DATE", False),
        ("Delivery date 23/02/2024|ISSUE_DATE", False),
        ("Rechnung 4711|INVOICE_NUMBER vom 23/02/2024|ISSUE_DATE", True),
    ],
)
def test_an_issue_date_must_be_one_and_have_a_known_day(line: str, is_plausible: bool) -> None:
    page = [line, "Total 12.00|TOTAL"]
    collected = collect_evidence(document_of(page), reading_of(page), reading_of(page))
    assert collected.support(Field.ISSUED_AT).is_plausible is is_plausible


def test_the_day_of_payment_is_not_that_of_issue_where_the_page_names_another() -> None:
    lines = ("Amount due 17 May 2018|ISSUE_DATE", "Date due 17 May 2018", "Statement generated on:", "26 Apr 2018")
    found = invoice_dates(gather(document_of(lines), reading_of(lines, sure=0.3)), "USD")
    assert found.issued[0].value == date(2018, 4, 26)


def test_a_date_that_only_the_page_calls_due_is_found() -> None:
    found = dates_of("Fecha emisión 01/06/2025|ISSUE_DATE", "Fecha vencimiento", "07/06/2025", currency="EUR")
    assert [due.value for due in found.due][:1] == [date(2025, 6, 7)]


@pytest.mark.parametrize(
    "line", ["PTU No. FP082021 Date issued: 04/09/2021|ISSUE_DATE", "Credit for invoice 88213 of 04/09/2021|ISSUE_DATE"]
)
def test_the_dates_of_permits_and_other_invoices_do_not_count(line: str) -> None:
    found = dates_of("Invoice date 16/03/2025|ISSUE_DATE", "Total 12.00", line, currency="EUR")
    assert date(2021, 9, 4) not in [issued.value for issued in found.issued]


def test_a_credit_note_is_issued_on_the_day_below_the_invoice_that_it_corrects() -> None:
    lines = ("Numéro d'avoir: AV-23", "Facture d'origine: FA-581", "Date d'émission: 18/03/2025|ISSUE_DATE")
    assert dates_of(*lines, currency="EUR").issued[0].value == date(2025, 3, 18)


def test_two_names_of_one_date_are_one_caption() -> None:
    found = dates_of("Invoice date / Delivery date 19/05/2025", currency="EUR")
    assert found.issued[0].value == date(2025, 5, 19)
    assert found.issued[0].score > 0.12


def test_a_date_goes_on_on_the_next_line_of_its_column() -> None:
    lines = ("Billed to ~ ~ ~ ~ Total due on 3", "Akme Tools ~ ~ ~ ~ ~ USD 12.00", "~ ~ ~ ~ ~ ~ December 2025")
    found = dates_of("Invoice date 3/11/2025|ISSUE_DATE", *lines, currency="SGD")
    assert date(2025, 12, 3) not in [due.value for due in found.issued]


def test_the_year_of_a_date_stands_below_it_in_a_narrow_column() -> None:
    lines = ("Invoice date ~ ~ Due date", "31-Mar-2025|ISSUE_DATE ~ ~ 07-Apr-", "~ ~ ~ 2025")
    found = dates_of(*lines, currency="EUR")
    assert [due.value for due in found.due][:1] == [date(2025, 4, 7)]


def test_spanish_dollars_are_of_countries_that_write_the_day_first() -> None:
    assert dates_of("Fecha 03/10/2024|ISSUE_DATE", currency="USD").issued[0].value == date(2024, 10, 3)
    assert dates_of("Date 03/10/2024|ISSUE_DATE", currency="USD").issued[0].value == date(2024, 3, 10)


def test_the_year_of_a_date_that_begins_with_its_month_stands_below_it() -> None:
    lines = ("Invoice date ~ ~ Due date", "Mar 3, 2025|ISSUE_DATE ~ Mar 17,", "~ ~ ~ ~ 2025")
    assert date(2025, 3, 17) in [due.value for due in dates_of(*lines, currency="EUR").due]


@pytest.mark.parametrize("number", ["N-03-04-24", "INV-2023-11-05", "A01-02-2023", "20231105", "12-05-2023/7"])
def test_an_invoice_number_is_no_date(number: str) -> None:
    """Neither where it is the only one that looks like a date, nor beside the date of issue."""
    alone = [f"Invoice {number}|INVOICE_NUMBER", "Total 12.00|TOTAL"]
    collected = collect_evidence(document_of(alone), reading_of(alone), reading_of(alone))
    assert collected.both.fields.ranked[Field.ISSUED_AT] == []
    beside = [alone[0], "Date 2024-05-17|ISSUE_DATE", alone[1]]
    collected = collect_evidence(document_of(beside), reading_of(beside), reading_of(beside))
    assert {day.value for day in collected.both.fields.ranked[Field.ISSUED_AT]} == {date(2024, 5, 17)}


def test_an_invoice_number_does_not_distinguish_day_from_month() -> None:
    page = ["Invoice N-13-04-24|INVOICE_NUMBER", "Date 03/04/2024|ISSUE_DATE", "Total $|CURRENCY 12.00|TOTAL"]
    collected = collect_evidence(document_of(page), reading_of(page), reading_of(page))
    assert collected.both.fields.ranked[Field.ISSUED_AT][0].value == date(2024, 3, 4)


@pytest.mark.parametrize("caption", ["Date in", "Date out", "Picked up", "Recogida", "Abholung", "Date de retrait"])
def test_a_day_that_work_was_brought_or_fetched_is_less_likely_that_of_issue(caption: str) -> None:
    (named,) = dates_of(f"{caption} 11/06/2024|ISSUE_DATE", currency="GBP").issued
    (bare,) = dates_of("11/06/2024|ISSUE_DATE", currency="GBP").issued
    assert named.score < bare.score


@pytest.mark.parametrize(("sure", "due"), [(0.9, date(2026, 1, 9)), (0.2, None)])
def test_a_due_date_that_is_less_likely_than_none_is_left_out(sure: float, due: date | None) -> None:
    page = ("Receipt date 17/12/2025|ISSUE_DATE", "For you 09/01/2026|DUE_DATE", "Total 12.00|TOTAL")
    document, reading = document_of(page), reading_of(page, sure=sure)
    found = collect_evidence(document, reading, reading).answers().get(Field.DUE_AT)
    assert (found.value if found else None) == due


@pytest.mark.parametrize(
    "caption", ["Coupon valid until", "Gutschein gültig bis", "Zwrot towaru do", "Points expire on"]
)
def test_the_last_day_of_an_offer_is_not_that_of_payment(caption: str) -> None:
    page = ("Receipt date 17/12/2025|ISSUE_DATE", f"{caption} 29/12/2025|DUE_DATE", "Total 12.00|TOTAL")
    found = invoice_dates(gather(document_of(page), reading_of(page, sure=0.6)), "EUR")
    assert not [due for due in found.due if due.score >= LIKELY]


@pytest.mark.parametrize(
    ("line", "is_due"),
    [
        ("Der Betrag wird am 16/01/2026 eingezogen.", True),
        ("Nous vous prions de régler avant le 16/01/2026", True),
        ("お支払いは 16/01/2026 までにお願いします", True),
        ("Complaints until 16/01/2026", False),
        ("You have paid. Returns are free until 16/01/2026", False),
        ("Please pay by card. Returns are free until 16/01/2026", False),
    ],
)
def test_a_due_date_is_sure_only_if_its_sentence_is_about_payment(line: str, is_due: bool) -> None:
    labelled = line.replace("16/01/2026", "16/01/2026|DUE_DATE")
    page = ["Invoice date 17/12/2025|ISSUE_DATE", labelled, "Total 12.00|TOTAL"]
    collected = collect_evidence(document_of(page), reading_of(page), reading_of(page))
    assert collected.support(Field.DUE_AT).is_plausible is is_due
