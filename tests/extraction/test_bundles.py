"""Files that hold several documents: orders of several sellers, stacks of receipts, sheets between documents."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from serve_app.domain.batch import Section
from serve_app.domain.document import PrintedCode
from serve_app.domain.invoice import Citation, Confidence, Field
from serve_app.extraction import sections
from serve_app.extraction.evidence import gather
from serve_app.extraction.sections import extract_sections
from serve_app.extraction.split import Part, split
from serve_app.extraction.split.facts import PageFacts, page_facts
from serve_app.extraction.split.features import is_of_other, may_begin
from serve_app.extraction.split.halves import cropped_page
from serve_app.extraction.split.split import Split
from tests.extraction.pages import document_of, reading_of

SHEET = ["PATCH T", "Document separator - do not file"]
BLANK: list[str] = []


def read(*pages: Sequence[str]) -> list[Section]:
    """What is found in a file of these pages, which both models read identically."""
    return extract_sections(document_of(*pages), reading_of(*pages), reading_of(*pages))


def parts(*pages: Sequence[str]) -> list[tuple[int, int]]:
    return [(section.first_page, section.last_page) for section in read(*pages)]


def is_high_anywhere(found: Sequence[Section]) -> bool:
    return any(Confidence.HIGH in (section.extraction.field_confidence or {}).values() for section in found)


def ordered(seller: str, number: str, net: int) -> list[str]:
    """An invoice of an order: platform, customer and order are on all of its invoices."""
    name = " ".join(f"{word}|SELLER" for word in seller.split())
    return [
        "Kaufplatz Marketplace Order 305-1184420-99",
        "INVOICE",
        name,
        f"Invoice number {number}|INVOICE_NUMBER",
        "Invoice date 5 March 2024|ISSUE_DATE",
        "Order number 305-1184420-99|OTHER_NUMBER",
        "Bill to Erika|BUYER Musterfrau|BUYER 14 Mill Lane York",
        f"Lamp|LINE_DESCRIPTION 1|LINE_QUANTITY {net}.00|LINE_UNIT_PRICE {net}.00|LINE_TOTAL",
        f"Net {net}.00|SUBTOTAL",
        f"VAT 20% {net / 5:.2f}|TAX",
        f"Total £{net * 1.2:.2f}|TOTAL",
        "Kaufplatz Marketplace Ltd 1 Harbour Road London",
    ]


def receipt(shop: str, number: str, total: int) -> list[str]:
    return [
        " ".join(f"{word}|SELLER" for word in shop.split()),
        f"Receipt no {number}|INVOICE_NUMBER",
        "05/03/2024|ISSUE_DATE 14:02",
        f"Bread|LINE_DESCRIPTION {total}.00|LINE_TOTAL",
        f"TOTAL £{total}.00|TOTAL",
        f"CASH {total}.00",
        "Thank you",
    ]


LAMPS = ordered("Lumen Trade Ltd", "LT-2024-118", 50)
BOOKS = ordered("Orchard Books GmbH", "OB-77120", 20)
TOYS = ordered("Speelhuis BV", "2024/0093", 35)
ENDS = ["Continuation of invoice LT-2024-118|INVOICE_NUMBER", "Delivered on 4 March by van", "Page 2 of 2"]


def test_the_invoices_of_an_order_are_cut_though_customer_and_order_are_the_same() -> None:
    assert parts(LAMPS, BOOKS, TOYS) == [(1, 1), (2, 2), (3, 3)]


def test_a_stack_of_receipts_is_cut() -> None:
    stack = (
        receipt("Corner Bakery", "10031", 6),
        receipt("Hill Garage", "A-5512", 48),
        receipt("Moss Books", "7781", 19),
    )
    assert parts(*stack) == [(1, 1), (2, 2), (3, 3)]


def test_sheets_between_documents_belong_to_none() -> None:
    assert parts(SHEET, LAMPS, SHEET, BOOKS, SHEET, TOYS) == [(2, 2), (4, 4), (6, 6)]


def test_blank_pages_belong_to_a_document_only_within_it() -> None:
    assert parts(LAMPS, BLANK, BOOKS, BLANK) == [(1, 1), (3, 3)]
    assert parts([*LAMPS, "Page 1 of 2"], BLANK, ENDS, BOOKS) == [(1, 3), (4, 4)]


def test_a_later_page_with_nothing_of_an_invoice_begins_none() -> None:
    table = ["Ferrand|SELLER Joinery|SELLER", *[f"Board|LINE_DESCRIPTION {row}.00|LINE_TOTAL" for row in range(3, 20)]]
    assert parts(LAMPS, table) == [(1, 2)]


def test_rows_of_an_issuer_whose_name_has_a_point_belong_to_its_invoice() -> None:
    first = ["lamps.example|SELLER", "INVOICE", "Invoice number LT-2024-118|INVOICE_NUMBER", "14 Mill Lane York"]
    first += [f"Lamp|LINE_DESCRIPTION {row}.00|LINE_TOTAL" for row in range(3, 20)]
    table = ["lamps.example|SELLER", *[f"Lamp|LINE_DESCRIPTION {row}.00|LINE_TOTAL" for row in range(20, 40)]]
    assert not is_of_other(*facts_of(table, first))


def facts_of(page: Sequence[str], before: Sequence[str]) -> tuple[PageFacts, list[PageFacts]]:
    """What is known of a page, and of the one before it."""
    one, other = gather(document_of(before, page), reading_of(before, page))
    return page_facts(other), [page_facts(one)]


def test_a_price_list_of_another_issuer_belongs_to_no_invoice() -> None:
    prices = ["Ferrand|SELLER Joinery|SELLER", "14 Mill Lane York", "What we charge", "Tel. 01904 55 12 08"]
    prices += [f"Board|LINE_DESCRIPTION {row}.00|LINE_TOTAL" for row in range(3, 20)]
    assert parts(LAMPS, prices, BOOKS) == [(1, 1), (3, 3)]
    assert parts(prices, LAMPS, BOOKS) == [(2, 2), (3, 3)]


def test_a_whole_invoice_of_another_issuer_begins_whatever_its_number() -> None:
    """What passes for a number may be the order's or the printer's."""
    same = [line.replace("OB-77120", "LT-2024-118") for line in BOOKS]
    pages = gather(document_of(LAMPS, same), reading_of(LAMPS, same))
    assert split(pages).parts == [Part(1, 1), Part(2, 2)]


def test_a_last_page_that_repeats_the_sum_of_the_first_begins_no_invoice() -> None:
    first = [*LAMPS[:8], "Amount payable £60.00|AMOUNT_DUE", "10 Lamp|LINE_DESCRIPTION 40.00|LINE_TOTAL"]
    last = ["20 Bulb|LINE_DESCRIPTION 10.00|LINE_TOTAL", *LAMPS[8:11], "Approval RE-0692-77|INVOICE_NUMBER"]
    pages = gather(document_of(first, last), reading_of(first, last))
    assert split(pages).chances[1] == 0


def test_a_page_that_gives_the_missing_number_begins_no_invoice() -> None:
    """A confirmation by e-mail has the receipt's number at its end."""
    first = ["Your receipt from Hill|SELLER Kitchen|SELLER", *LAMPS[4:5], *LAMPS[7:11]]
    last = ["Receipt", "Receipt no. PD-0048-213|INVOICE_NUMBER", "Sold to you by Hill|SELLER Kitchen|SELLER"]
    pages = gather(document_of(first, last), reading_of(first, last))
    assert split(pages).chances[1] == 0


def test_a_question_about_an_invoice_is_no_title() -> None:
    (page,) = gather(document_of(["Questions about this invoice?"]), reading_of(["Questions about this invoice?"]))
    assert not page_facts(page).is_titled


def test_a_page_that_repeats_a_sum_begins_no_invoice_behind_one_with_a_number() -> None:
    """The first page has a logo in place of the issuer's name, and the details are on the second."""
    first = ["Your bill", *LAMPS[3:5], "Bill to Erika|BUYER Musterfrau|BUYER", "Total £60.00|TOTAL", "Please pay"]
    details = ["Lumen|SELLER Trade|SELLER Ltd|SELLER 12 Dock Road", *LAMPS[7:11], *LAMPS[7:11]]
    pages = gather(document_of(first, details), reading_of(first, details))
    assert split(pages).chances[1] == 0


def cut_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sections, "split", lambda pages: Split([Part(1, len(pages))], [0.5] * len(pages)))


@pytest.mark.parametrize("other", [BOOKS, ordered("Lumen Trade Ltd", "LT-2024-119", 20)], ids=["issuer", "number"])
def test_nothing_is_high_where_a_page_shows_another_issuer_or_number(
    monkeypatch: pytest.MonkeyPatch, other: list[str]
) -> None:
    cut_nowhere(monkeypatch)
    found = read(LAMPS, other)
    assert len(found) == 1
    assert found[0].extraction.amount is not None
    assert not is_high_anywhere(found)


def test_an_issuer_is_not_high_where_a_page_with_a_sum_gives_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    cut_nowhere(monkeypatch)
    slip = ["Payable to Hollis|SELLER Agents|SELLER", "Amount £60.00|TOTAL"]
    (found,) = read([*LAMPS, "Agents Hollis and partners"], slip)
    levels = found.extraction.field_confidence or {}
    assert levels[Field.VENDOR] is not Confidence.HIGH
    assert levels[Field.AMOUNT] is Confidence.HIGH


def test_a_page_of_sums_that_faintly_names_another_issuer_continues_the_invoice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cut_nowhere(monkeypatch)
    sums = ["Rechnung Standard|SELLER 2.0|SELLER", "Net 50.00|SUBTOTAL", "Total £60.00|TOTAL"]
    faint = reading_of(sums, sure=0.6)
    reading = replace(reading_of(LAMPS), pages=(*reading_of(LAMPS).pages, *faint.pages))
    assert is_high_anywhere(extract_sections(document_of(LAMPS, sums), reading, reading))


def test_pages_with_one_number_are_one_invoice_whoever_they_name(monkeypatch: pytest.MonkeyPatch) -> None:
    cut_nowhere(monkeypatch)
    terms = ["Lumen|SELLER Holding|SELLER plc|SELLER", *LAMPS[3:5], "Total £60.00|TOTAL"]
    assert is_high_anywhere(read(LAMPS, terms))


def test_an_invoice_that_repeats_its_head_on_every_page_is_one() -> None:
    first = [*LAMPS[:8], "Page 1 of 2"]
    second = [*LAMPS[:6], *LAMPS[7:], "Page 2 of 2"]
    found = read(first, second)
    assert [(section.first_page, section.last_page) for section in found] == [(1, 2)]
    assert is_high_anywhere(found)


def test_nothing_is_high_where_two_documents_stand_on_one_page() -> None:
    beside = [
        "Hadley|SELLER Nursery|SELLER ~ ~ ~ Pell Hardware",
        "RECEIPT ~ ~ ~ ~ RECEIPT",
        "Receipt No HN-10442|INVOICE_NUMBER ~ ~ Receipt No PH-2907",
        "Date 05/06/2025|ISSUE_DATE ~ ~ ~ Date 06/06/2025",
        "Net 42.00|SUBTOTAL ~ ~ ~ Net 35.00",
        "VAT 8.40|TAX ~ ~ ~ VAT 7.00",
        "TOTAL £50.40|TOTAL ~ ~ ~ TOTAL £42.00",
    ]
    assert not is_high_anywhere(read(beside))
    assert is_high_anywhere(read([line.partition(" ~")[0] for line in beside]))


TICKET = [
    "Salon|SELLER Aurora|SELLER",
    "Bill 5512|INVOICE_NUMBER",
    "Date 03/04/2025|ISSUE_DATE",
    "Haircut 32.00|LINE_TOTAL",
    "Total €32.00|TOTAL",
]
SLIP = [
    "Garage|SELLER Colibri|SELLER",
    "Docket G-88/10|INVOICE_NUMBER",
    "Date 04/04/2025|ISSUE_DATE",
    "Parking 9.00|LINE_TOTAL",
    "Total €9.00|TOTAL",
]


def beside(left: list[str], right: list[str]) -> list[str]:
    """Both on one page."""
    rows = zip(left, right, strict=True)
    return [f"{one}{' ~' * (6 - len(one.split()))} {other}" for one, other in rows]


DOCKET = [
    "Kiosk|SELLER Mirabelle|SELLER",
    "Bill 771-B|INVOICE_NUMBER",
    "Date 04/04/2025|ISSUE_DATE",
    "Paper 4.00|LINE_TOTAL",
    "Total €4.00|TOTAL",
]


class TestDocumentsThatShareAPage:
    @pytest.mark.parametrize("both", [beside(TICKET, SLIP), [*TICKET, "~", "~", *SLIP]], ids=["beside", "below"])
    def test_each_is_a_record(self, both: list[str]) -> None:
        found = read(both)
        assert [(section.first_page, section.last_page) for section in found] == [(1, 1), (1, 1)]
        assert [section.extraction.vendor_name for section in found] == ["Salon Aurora", "Garage Colibri"]
        assert [str(section.extraction.amount) for section in found] == ["32.00", "9.00"]

    def test_each_value_is_cited_where_the_page_shows_it(self) -> None:
        both = beside(TICKET, SLIP)
        shown = {word.text: word.box for word in document_of(both).pages[0].words}
        for section, total in zip(read(both), ("€32.00", "€9.00"), strict=True):
            cited = (section.extraction.citations or {})[Field.AMOUNT]
            box = shown[total]
            assert isinstance(cited, Citation)
            assert (cited.page, cited.text) == (1, total)
            assert cited.box == pytest.approx((box.x0, box.y0, box.x1, box.y1), abs=1e-3)

    def test_each_has_the_codes_among_its_words(self) -> None:
        (page,) = document_of(beside(TICKET, SLIP)).pages
        code = PrintedCode("https://till.example/9", page.words[1].box)
        cut = cropped_page(replace(page, codes=(code,)), np.arange(4))
        assert [each.text for each in cut.codes] == [code.text]
        assert cut.shown(cut.codes[0].box).x0 == pytest.approx(code.box.x0)
        assert cropped_page(replace(page, codes=(code,)), np.arange(4, 6)).codes == ()

    def test_three_are_three(self) -> None:
        found = read([*TICKET, "~", "~", *SLIP, "~", "~", *DOCKET])
        assert [str(section.extraction.amount) for section in found] == ["32.00", "9.00", "4.00"]

    def test_pages_around_them_keep_their_numbers(self) -> None:
        assert parts(LAMPS, [*TICKET, "~", "~", *SLIP], BOOKS) == [(1, 1), (2, 2), (2, 2), (3, 3)]


class TestOneDocumentOnAPage:
    def test_one_by_itself_may_be_high(self) -> None:
        assert is_high_anywhere(read(TICKET))

    @pytest.mark.parametrize("both", [beside(TICKET, TICKET), [*TICKET, "~", "~", *TICKET]], ids=["beside", "below"])
    def test_two_copies_of_one_are_one(self, both: list[str]) -> None:
        assert is_high_anywhere(read(both))

    def test_a_payment_slip_below_an_invoice_is_a_part_of_it(self) -> None:
        slip = ["Payable to Salon|SELLER Aurora|SELLER", "Reference 5512", "Amount €32.00|AMOUNT_DUE"]
        assert is_high_anywhere(read([*TICKET, "~", "~", "~", *slip]))

    def test_a_payment_slip_may_name_the_company_of_a_brand(self) -> None:
        slip = ["Receipt", "Novak|SELLER Systems|SELLER Ltd|SELLER", "Amount €32.00|AMOUNT_DUE"]
        assert is_high_anywhere(read([*TICKET, "~", "~", "~", *slip]))

    def test_a_payment_slip_may_have_a_number_of_its_own(self) -> None:
        slip = ["Receipt", "Salon|SELLER Aurora|SELLER", "Receipt no ZX-771", "Amount €32.00|AMOUNT_DUE"]
        assert is_high_anywhere(read([*TICKET, "~", "~", "~", *slip]))


def test_parts_of_other_issuers_are_not_joined_for_the_order_that_both_show(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sections, "split", lambda pages: Split([Part(1, 1), Part(2, 2)], [0.5] * len(pages)))
    first, second = (
        ["Order no. 305-1184420"] + [line for line in page if not line.startswith("Invoice number")]
        for page in (LAMPS, BOOKS)
    )
    assert parts(first, second) == [(1, 1), (2, 2)]


STATEMENT = [
    "ENERGY|SELLER Account No 4418820193-6|INVOICE_NUMBER Statement Date 03/13/2025|ISSUE_DATE",
    "Amount due 366.37|AMOUNT_DUE",
]
DETAILS = [
    "Account No 4418820193-6|INVOICE_NUMBER Statement Date {}|ISSUE_DATE",
    "Tier 1|LINE_DESCRIPTION 121.53|LINE_TOTAL",
    "Total charges 177.77|TOTAL",
    "ENERGY refers to Cascade|SELLER Pacific|SELLER Gas|SELLER",
]


@pytest.mark.parametrize(("day", "may"), [("03/13/2025", False), ("04/11/2025", True)])
def test_a_page_that_repeats_number_and_day_begins_nothing(day: str, may: bool) -> None:
    assert may_begin(*facts_of([DETAILS[0].format(day), *DETAILS[1:]], STATEMENT)) is may


@pytest.mark.parametrize("runs_on", [False, True])
def test_a_page_without_a_title_goes_on_where_the_one_before_is_full(runs_on: bool) -> None:
    pages = ordered("Lumen Lampen GmbH", "LL-1", 100), [*DETAILS[1:], "Date 11 April 2024|ISSUE_DATE"]
    first, second = document_of(*pages).pages
    document = replace(document_of(*pages), pages=(first, replace(second, runs_on=runs_on)))
    found = extract_sections(document, reading_of(*pages), reading_of(*pages))
    assert len(found) == (1 if runs_on else 2)
