"""What stands on a page, found once."""

from datetime import date
from decimal import Decimal

from serve_app.domain.document import Box, Page, Word
from serve_app.extraction.dates.dates import Order
from serve_app.extraction.evidence import gather
from serve_app.extraction.facts import PageFacts, facts_of_page
from serve_app.extraction.facts.dates import dates_of_page
from serve_app.extraction.facts.names import names_of_page
from serve_app.extraction.facts.numbers import amounts_of_line, numbers_of_words, spaced_amounts
from serve_app.extraction.notation.numbers import Style
from tests.extraction.pages import document_of, reading_of


def printed(*lines: str) -> PageFacts:
    """A page of lines; "~" stands for a word's width of nothing."""
    return facts_of_page(document_of(lines).pages[0])


def tight(*texts: str) -> PageFacts:
    """A page of one line, whose words are a narrow space apart."""
    words, x = [], 0.05
    for text in texts:
        words.append(Word(text, Box(x, 0.1, x + 0.01 * len(text), 0.112)))
        x += 0.01 * len(text) + 0.003
    return facts_of_page(Page(1, 595.0, 842.0, tuple(words)))


class TestOnce:
    def test_a_kind_of_facts_is_found_once_for_all_who_read_the_page(self) -> None:
        looked = []

        def find(page: PageFacts, what: str) -> list[str]:
            looked.append(what)
            return [word.text for word in page.page.words if what in word.text]

        page = printed("Akme Tools", "Total 12.50")
        assert page.once(find, "Akme") == page.once(find, "Akme") == ["Akme"]
        assert page.once(find, "12") == ["12.50"]
        assert looked == ["Akme", "12"]

    def test_both_models_and_each_alone_read_the_same_facts(self) -> None:
        document, reading = document_of(["Akme Tools", "Total 12.50"]), reading_of(["Akme Tools", "Total 12.50"])
        (both,) = gather(document, reading, reading)
        (alone,) = gather(document, reading, facts=[both.facts])
        assert alone.facts is both.facts


class TestCells:
    def test_words_far_apart_are_of_different_cells(self) -> None:
        page = printed("Akme Tools ~ ~ Total 12.50")
        assert [page.text(cell) for cell in page.cells] == ["Akme Tools", "Total 12.50"]
        assert page.cell_of(2) == (2, 3)
        assert page.cells_of(page.lines[0]) == ((0, 1), (2, 3))
        assert page.cells_of(()) == ()

    def test_a_box_is_around_all_words(self) -> None:
        page = printed("Akme Tools ~ ~ Total 12.50")
        first, last = page.page.words[0].box, page.page.words[-1].box
        assert page.box(page.lines[0]) == page.box([0, 1, 2, 3]) == Box(first.x0, first.y0, last.x1, last.y1)


class TestNumbers:
    def test_the_longest_run_of_words_comes_first(self) -> None:
        page = tight("1", "234", "567,80")
        assert numbers_of_words(page, Style.COMMA)[0][0] == ((0, 1, 2), Decimal("1234567.80"))
        assert spaced_amounts(page, Style.COMMA) == [((0, 1, 2), Decimal("1234567.80"))]

    def test_words_far_apart_are_no_number(self) -> None:
        page = printed("1 ~ 234,50")
        assert not numbers_of_words(page, Style.COMMA)
        assert not spaced_amounts(page, Style.COMMA)

    def test_without_decimals_a_currency_says_that_two_numbers_are_one(self) -> None:
        assert spaced_amounts(tight("37", "371", "Ft"), Style.COMMA) == [((0, 1, 2), Decimal(37371))]
        assert not spaced_amounts(tight("37", "371", "kg"), Style.COMMA)

    def test_the_amounts_of_a_line_have_decimals(self) -> None:
        page = printed("Tools 3 12.50 37.50", "2024")
        assert amounts_of_line(page, page.lines[0], Style.POINT) == [(2, Decimal("12.50")), (3, Decimal("37.50"))]
        assert amounts_of_line(page, page.lines[1], Style.POINT) == []


class TestDates:
    def test_a_date_has_its_words_and_the_value_of_an_order(self) -> None:
        page = printed("Date 03/04/2024")
        assert dates_of_page(page, Order.DAY_FIRST) == [((1,), date(2024, 4, 3))]
        assert dates_of_page(page, Order.MONTH_FIRST) == [((1,), date(2024, 3, 4))]

    def test_a_date_goes_on_on_the_next_line_of_its_column(self) -> None:
        page = printed("Due on 3", "December 2025")
        assert ((2, 3, 4), date(2025, 12, 3)) in dates_of_page(page, Order.DAY_FIRST)


class TestNames:
    def test_a_company_is_a_name_whatever_the_models_see(self) -> None:
        page = printed("Invoice 17", "Akme Tools Ltd")
        before = printed("Invoice 16")
        assert "Akme Tools Ltd" in map(page.text, names_of_page(page, before))

    def test_what_stands_out_is_a_name_on_the_first_page_only(self) -> None:
        page = printed("Akme Tools", "Invoice 17")
        assert "Akme Tools" in map(page.text, names_of_page(page, None))
        assert "Akme Tools" not in map(page.text, names_of_page(page, printed("Invoice 16")))


class TestColumns:
    def test_cells_near_words_are_those_of_other_lines_in_their_column(self) -> None:
        page = printed("Seller ~ Buyer", "Akme ~ Umbra", "Ltd ~ SpA")
        seller, buyer = page.cells[:2]
        assert [page.text(cell) for cell in page.cells_near(seller, (1, 2))] == ["Akme", "Ltd"]
        assert [page.text(cell) for cell in page.cells_near(buyer, range(-2, 2))] == ["Buyer", "Umbra"]

    def test_a_box_is_right_below_another_within_so_many_heights(self) -> None:
        upper, lower = Box(0.1, 0.1, 0.3, 0.12), Box(0.25, 0.13, 0.5, 0.15)
        assert lower.shares_column(upper)
        assert not Box(0.3, 0.13, 0.5, 0.15).shares_column(upper)
        assert lower.is_right_below(upper, 2)
        assert not lower.is_right_below(upper, 1.4)
        assert not upper.is_right_below(lower, 2)
