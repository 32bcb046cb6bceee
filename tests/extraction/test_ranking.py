"""Which value a field gets when models, captions and the page say different things."""

from datetime import date
from decimal import Decimal

import pytest

from serve_app.domain.labels import Label
from serve_app.extraction.candidates.amounts import amount_candidates
from serve_app.extraction.candidates.dates import date_candidates
from serve_app.extraction.candidates.numbers import number_candidates, order_number
from serve_app.extraction.candidates.vendors import vendor_candidates
from serve_app.extraction.dates.dates import Order
from serve_app.extraction.evidence import PageEvidence, gather
from serve_app.extraction.notation.numbers import Style
from serve_app.extraction.parties.names import normal_name
from serve_app.extraction.scoring.rank import rank
from tests.extraction.pages import document_of, reading_of


def evidence(*lines: str, sure: float = 0.5) -> tuple[PageEvidence, ...]:
    return gather(document_of(lines), reading_of(lines, sure=sure))


def test_a_caption_settles_what_the_models_are_unsure_of() -> None:
    pages = evidence("Invoice No. 4711|INVOICE_NUMBER", "Customer No. 815|INVOICE_NUMBER")
    assert rank("invoice_number", number_candidates(pages))[0].value == "4711"


def test_a_telephone_number_is_no_invoice_number() -> None:
    pages = evidence("Invoice 1(250)222-2232|INVOICE_NUMBER", "Call 555-123-4567|INVOICE_NUMBER")
    assert number_candidates(pages) == []


def test_a_number_behind_its_caption_is_found_though_no_model_sees_it() -> None:
    pages = evidence("Akme Tools Ltd", "Rechnungsnummer: 20240017")
    assert rank("invoice_number", number_candidates(pages))[0].value == "20240017"


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("Invoice No. RE|INVOICE_NUMBER 2024-9460|INVOICE_NUMBER", "RE 2024-9460"),
        ("MR-T0110|INVOICE_NUMBER MR-T0110|INVOICE_NUMBER", "MR-T0110"),
        ("Inv-No.0002300417000138|INVOICE_NUMBER", "0002300417000138"),
        ("INV-2024-1|INVOICE_NUMBER", "INV-2024-1"),
        ("nr wydr.018822|INVOICE_NUMBER", "018822"),
    ],
)
def test_a_number_is_given_whole_and_without_its_caption(line: str, number: str) -> None:
    assert rank("invoice_number", number_candidates(evidence(line, sure=0.9)))[0].value == number


def test_a_number_that_a_narrow_column_broke_is_given_whole() -> None:
    lines = ["Rechnungsnummer DS-INV-2024-|INVOICE_NUMBER", "~ 40771285|INVOICE_NUMBER", "Gesamt 58,47|TOTAL"]
    assert [candidate.value for candidate in number_candidates(evidence(*lines))] == ["DS-INV-2024-40771285"]


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("FACTURE N° FA 2025/0141|INVOICE_NUMBER", "FA 2025/0141"),
        ("Fattura n. 2406|INVOICE_NUMBER E 0019552|INVOICE_NUMBER", "2406 E 0019552"),
        ("Invoice No. 731908|INVOICE_NUMBER B", "731908 B"),
        ("Invoice No. 288417|INVOICE_NUMBER Date", "288417"),
        ("B001 - 00018834|INVOICE_NUMBER", "B001 - 00018834"),
        ("Serija ŽAL Nr. 000418|INVOICE_NUMBER", "ŽAL 000418"),
    ],
)
def test_the_letters_of_a_series_belong_to_its_numbers(line: str, number: str) -> None:
    assert rank("invoice_number", number_candidates(evidence(line, sure=0.9)))[0].value == number


@pytest.mark.parametrize("lines", [("pay by 6th", "August 2025 to us"), ("zahlbar bis 6. August", "2025 ohne Abzug")])
def test_a_date_may_go_on_on_the_next_line(lines: tuple[str, str]) -> None:
    candidates = date_candidates(evidence(*lines), Order.DAY_FIRST, issued=date(2025, 7, 23))
    assert [candidate.value for candidate in candidates] == [date(2025, 8, 6)]


def test_a_credit_note_says_in_sentences_when_other_invoices_are_due() -> None:
    terms = "Settled with your next direct debit on or around 03.01.2025"
    due = [[o.value for o in date_candidates(evidence(title, terms), Order.DAY_FIRST, issued=date(2024, 12, 12))]
           for title in ("Invoice", "Credit note")]  # fmt: skip
    assert due == [[date(2025, 1, 3)], []]


def test_a_short_date_of_another_year_begins_with_its_year() -> None:
    candidates = date_candidates(evidence("Sale 03/02/2025", "Card slip 25/02/03 13:41"), Order.DAY_FIRST)
    assert {candidate.value for candidate in candidates} == {date(2025, 2, 3)}


def test_lines_of_two_columns_make_no_date() -> None:
    assert date_candidates(evidence("Units 6", "~ ~ August 2025"), Order.DAY_FIRST) == []


def test_a_barcode_is_no_invoice_number() -> None:
    assert number_candidates(evidence("*TXN98765202411231432*|INVOICE_NUMBER")) == []


def test_the_signature_of_a_till_is_no_invoice_number() -> None:
    assert number_candidates(evidence("TBAI-B95288140-071025-kQ7vXw2Lr0dTz-114|INVOICE_NUMBER")) == []


def test_a_link_is_no_invoice_number() -> None:
    assert number_candidates(evidence("https://akme.com/invoice?id=98688098|INVOICE_NUMBER")) == []


def test_a_due_date_is_no_issue_date() -> None:
    pages = evidence("Invoice date 05.03.2024|ISSUE_DATE", "Due date 19.03.2024|ISSUE_DATE")
    assert rank("issued_at", date_candidates(pages, Order.DAY_FIRST))[0].value == date(2024, 3, 5)


def test_nothing_is_due_before_it_is_issued() -> None:
    pages = evidence("Due 19.03.2024|DUE_DATE", "Paid 01.02.2024|DUE_DATE")
    candidates = date_candidates(pages, Order.DAY_FIRST, issued=date(2024, 3, 5))
    assert [candidate.value for candidate in candidates] == [date(2024, 3, 19)]


@pytest.mark.parametrize(
    "period",
    ["Aug 11 – Sep 11, 2024", "11.08. bis 11.09.2024", "11.08.–11.09.2024", "11 août au 11 septembre 2024"],
)
def test_the_last_day_of_a_period_is_not_when_it_is_due(period: str) -> None:
    pages = evidence(period.replace("2024", "2024|DUE_DATE"))
    assert date_candidates(pages, Order.DAY_FIRST, issued=date(2024, 8, 11)) == []


def test_it_is_if_a_caption_says_so() -> None:
    pages = evidence("Due date Aug 11 – Sep 11, 2024|DUE_DATE")
    (candidate,) = date_candidates(pages, Order.DAY_FIRST, issued=date(2024, 8, 11))
    assert candidate.value == date(2024, 9, 11)


def test_the_last_day_of_a_discount_is_not_when_it_is_due() -> None:
    pages = evidence("Zahlbar netto bis 04.07.2024|DUE_DATE , 3% Skonto bis 15.06.2024|DUE_DATE")
    candidates = date_candidates(pages, Order.DAY_FIRST, issued=date(2024, 6, 5))
    assert [candidate.value for candidate in candidates] == [date(2024, 7, 4)]


@pytest.mark.parametrize(
    "terms",
    [
        ["Zahlbar 30 Tage netto bis 04.07.2024, 3 % Skonto", "innerhalb 10 Tagen bis 15.06.2024|DUE_DATE"],
        ["Bis zum 15.06.2024|DUE_DATE erhalten Sie 2 % Skonto, bis 04.07.2024 ohne Abzug"],
    ],
)
def test_a_discount_may_be_offered_after_its_date_or_on_the_line_before(terms: list[str]) -> None:
    found = date_candidates(evidence("Invoice date 05.06.2024", *terms), Order.DAY_FIRST, date(2024, 6, 5))
    assert date(2024, 6, 15) not in {candidate.value for candidate in found}
    assert date(2024, 7, 4) in {candidate.value for candidate in found}


def test_a_due_date_without_discount_may_say_so() -> None:
    pages = evidence("Ohne Skonto zahlbar bis 04.07.2024|DUE_DATE")
    candidates = date_candidates(pages, Order.DAY_FIRST, issued=date(2024, 6, 5))
    assert [candidate.value for candidate in candidates] == [date(2024, 7, 4)]


def test_cash_and_change_are_no_total() -> None:
    pages = evidence("TOTAL 12.50|TOTAL", "CASH 20.00|TOTAL", "CHANGE 7.50|TOTAL")
    assert rank("total", amount_candidates(pages, Style.POINT))[0].value == Decimal("12.50")


def test_a_name_behind_from_is_the_issuers() -> None:
    pages = evidence("To: Berta|SELLER Ltd|SELLER", "From: Akme|SELLER Ltd|SELLER")
    assert rank("vendor", vendor_candidates(pages), normal_name)[0].value == "Akme Ltd"


def test_chances_make_at_most_one() -> None:
    pages = evidence("Invoice No. 4711|INVOICE_NUMBER", "Invoice No. 4712|INVOICE_NUMBER", sure=0.9)
    assert 0.5 < sum(candidate.score for candidate in rank("invoice_number", number_candidates(pages))) <= 1


def test_the_same_value_at_two_places_is_likelier_than_at_one() -> None:
    once = evidence("Invoice No. 4711|INVOICE_NUMBER", "Invoice No. 4712|INVOICE_NUMBER")
    twice = evidence("Invoice No. 4711|INVOICE_NUMBER", "Invoice No. 4712|INVOICE_NUMBER", "Bill No. 4712")
    chance = [
        next(
            candidate.score
            for candidate in rank("invoice_number", number_candidates(pages))
            if candidate.value == "4712"
        )
        for pages in (once, twice)
    ]
    assert chance[0] < chance[1]


def test_placeholders_of_a_template_are_no_candidates() -> None:
    assert number_candidates(evidence("Invoice No. {{invoice_1}}|INVOICE_NUMBER")) == []


def test_a_surer_model_makes_a_likelier_value() -> None:
    line = f"Number 4711|{Label.INVOICE_NUMBER}"
    weak, strong = (rank("invoice_number", number_candidates(evidence(line, sure=sure)))[0] for sure in (0.3, 0.9))
    assert weak.score < strong.score


def test_number_and_dates_of_the_corrected_invoice_stand_in_a_section_of_its_own() -> None:
    lines = ("Credit note", "Original invoice:", "Number 2240017743|INVOICE_NUMBER", "Date 14.10.2024", "~", "~", "~",
             "No. 5240300187|INVOICE_NUMBER", "Date 06.11.2024")  # fmt: skip
    pages = evidence(*lines)
    assert [candidate.value for candidate in number_candidates(pages)] == ["5240300187"]
    assert [candidate.value for candidate in date_candidates(pages, Order.DAY_FIRST)] == [date(2024, 11, 6)]
    # On an invoice the same heading is a stamp.
    other = evidence("Invoice", *lines[1:])
    assert len(date_candidates(other, Order.DAY_FIRST)) == 2


def test_number_and_dates_of_the_corrected_invoice_stand_behind_a_heading() -> None:
    lines = ("Nota de crédito", "No. 2291|INVOICE_NUMBER ~ Date 06.11.2024",
             "Referencias: Factura N° 30417|INVOICE_NUMBER del 14.10.2024")  # fmt: skip
    pages = evidence(*lines)
    assert [candidate.value for candidate in number_candidates(pages)] == ["2291"]
    assert [candidate.value for candidate in date_candidates(pages, Order.DAY_FIRST)] == [date(2024, 11, 6)]


def test_a_time_is_no_invoice_number() -> None:
    assert number_candidates(evidence("Pedido 20h41|INVOICE_NUMBER")) == []


def test_a_number_goes_on_where_the_cell_of_its_caption_begins() -> None:
    lines = ["Invoice No: POS-|INVOICE_NUMBER ~ Date", "20250805-0042|INVOICE_NUMBER"]
    assert [candidate.value for candidate in number_candidates(evidence(*lines))] == ["POS-20250805-0042"]


def test_a_telephone_number_of_its_country_is_no_invoice_number_without_a_caption() -> None:
    assert number_candidates(evidence("Akme 07700900417|INVOICE_NUMBER")) == []
    assert number_candidates(evidence("Akme 07700|INVOICE_NUMBER 900142")) == []
    assert [candidate.value for candidate in number_candidates(evidence("Invoice No. 07700900417"))] == ["07700900417"]


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("Order # 206-5514028-3502735", "206-5514028-3502735"),
        ("Nº de pedido: 18306", "18306"),
        ("Votre commande #3907 du 3 mai", "3907"),
        ("Purchase order: 4500071832", None),
        ("In order to pay 2024", None),
        ("Ordernummer: 2025-188", "2025-188"),
        ("Return ID: 57", "57"),
    ],
)
def test_the_number_of_a_shops_order_stands_in_for_one_of_its_own(line: str, number: str | None) -> None:
    assert [candidate.value for candidate in order_number(evidence(line))] == ([number] if number else [])


@pytest.mark.parametrize(
    "text",
    [
        "Receipt-2417-8830.pdf",
        "20258F3C1A77...",
        "318.440.752-09",
        "08.441.725/0001-39",
        "N3.1",
        "0614-220588-001-7",
        "NL20INGB0001234567",
    ],
)
def test_files_taxpayers_and_what_is_cut_are_no_invoice_number(text: str) -> None:
    assert number_candidates(evidence(f"Akme {text}|INVOICE_NUMBER")) == []
