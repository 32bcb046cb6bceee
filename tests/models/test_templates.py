"""Documents in other people's layouts: what is sought in their words, and the labels that follow."""

import re
from dataclasses import replace
from datetime import date
from decimal import Decimal
from random import Random

import pytest

from models.training.templates import recipes  # noqa: F401 (enters all templates)
from models.training.templates.document import document, lacking
from models.training.templates.facts import FactOptions, Facts, Item, build_facts
from models.training.templates.find_facts import Found, look
from models.training.templates.find_values import Sheet, find_amounts, find_date, find_text, sheets_of
from models.training.templates.places import Places
from models.training.templates.printed import amounts, bare, date_forms
from models.training.templates.registry import TEMPLATES, held_out
from models.training.templates.tags import decide, learn, tags_of
from serve_app.domain.document import Box, Page, Word
from serve_app.domain.labels import TAGS

# The layouts that the service is measured with.
MEASURED_WITH = (
    "simple-html-invoice",
    "sparksuite",
    "sendwithus",
    "invoice-printer",
    "invoice_printer",
    "weasyprint-samples",
)
PERMISSIVE = {"MIT", "ISC", "BSD", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "MPL-2.0", "LPPL-1.3c"}


def seeded(seed: int) -> Random:
    return Random(seed)


def sheet(*lines: tuple[float, str]) -> tuple[Sheet, ...]:
    """A page whose lines are `(y, "text@x text@x")`: texts at places from 0 to 100, words of a text close together."""
    words = []
    for y, line in lines:
        for text, x in re.findall(r"(.+?)@([\d.]+)\s?", line):
            left = float(x) / 100
            for word in text.split():
                right = left + 0.008 * len(word)
                words.append(Word(word, Box(left, y / 100, right, y / 100 + 0.012)))
                left = right + 0.004
    return sheets_of([Page(1, 600.0, 800.0, tuple(words))])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,234.50", "1234.5"), ("1.234,50", "1234.5"), ("1.000", "1000"), ("1.000", "1.000"), ("$12.00", "12"),
        ("12,34,567.00", "1234567"), ("-5.00", "-5"), ("(5.00)", "-5"), ("9049.5", "9049.5"), ("1'000.00", "1000"),
        ("EUR98,00", "98"), ("3x", "3"),
    ],
)  # fmt: skip
def test_amounts_are_all_that_a_word_may_mean(text: str, value: str) -> None:
    assert Decimal(value) in amounts(text, frozenset({"$", "eur"}))


@pytest.mark.parametrize("text", ["19%", "A-12", "DE123", "12.03.2024", "Total", "Rs.12.00"])
def test_other_words_are_no_amounts(text: str) -> None:
    assert not amounts(text, frozenset({"$"}))


@pytest.mark.parametrize(
    "text", ["3 March 2024", "03.03.2024", "March 3rd, 2024", "2024-03-03", "3. März 2024", "Sun Mar 03 2024"]
)
def test_dates_are_known_in_their_usual_forms(text: str) -> None:
    assert bare(text) in date_forms(date(2024, 3, 3))


def test_a_date_is_found_without_its_caption() -> None:
    page = sheet((10, "Date: 2024-03-03@10"), (12, "Due:03/03/2024@10"))
    texts = [[page[0].page.words[word].text for word in spot.words] for spot in find_date(page, date(2024, 3, 3))]
    assert texts == [["2024-03-03"], ["Due:03/03/2024"]]


def test_a_text_goes_on_in_the_next_line_of_its_cell() -> None:
    page = sheet((10, "Consulting for@10 2@50 40.00@60"), (12, "the new shop@10"))
    (spot,) = find_text(page, "Consulting for the new shop")
    assert [page[0].page.words[word].text for word in spot.words] == ["Consulting", "for", "the", "new", "shop"]


def test_a_text_does_not_go_on_in_another_column() -> None:
    page = sheet((10, "Acme@10 Other@60"), (12, "Street 1@10 Ltd@60"))
    assert find_text(page, "Acme Ltd") == []


def test_a_text_in_one_line_comes_before_one_that_jumps_to_the_next_row() -> None:
    page = sheet((10, "Paper A4, white@10"), (12, "Paper A4 500 ml@10"))
    (spot,) = find_text(page, "Paper A4 500 ml")
    assert [page[0].line_of[word] for word in spot.words] == [1, 1, 1, 1]


def test_details_have_no_blanks_to_fill() -> None:
    cases = [build_facts(seeded(seed), FactOptions(rows=(5, 9))) for seed in range(40)]
    assert not [item.details for facts in cases for item in facts.items if "{" in item.details]


def test_a_number_is_found_behind_a_caption_glued_to_it() -> None:
    page = sheet((10, "No.:INV-77@10 XINV-77@60"))
    assert [spot.words for spot in find_text(page, "INV-77", inside=True)] == [(0,)]


def test_groups_of_thousands_are_one_amount_and_columns_are_two() -> None:
    page = sheet((10, "1 428,00@10"), (12, "2@10 428,00@20"))
    values = [Decimal("1428"), Decimal("428"), Decimal("2")]
    found = find_amounts(page, values, frozenset(), set())
    assert [sorted(hits) for _, hits in found] == [[Decimal("1428")], [Decimal("2")], [Decimal("428")]]


def facts_of(*rows: tuple[str, str, str], tax: str = "0") -> Facts:
    """Facts with rows of description, quantity and price."""
    facts = build_facts(seeded(1), FactOptions(rows=(1, 1), long_share=0.0, countries=("GB",)))
    items = tuple(
        Item(text, "", "", "", Decimal(count), Decimal(price), Decimal(count) * Decimal(price), Decimal(0))
        for text, count, price in rows
    )
    subtotal = sum((item.total for item in items), Decimal(0))
    seller, buyer = replace(facts.seller, name="Acme Ltd"), replace(facts.buyer, name="Jane Roe")
    return replace(
        facts, items=items, subtotal=subtotal, tax=Decimal(tax), discount=Decimal(0), shipping=Decimal(0),
        paid=Decimal(0), seller=seller, buyer=buyer, number="INV-77", issued=date(2024, 3, 3), due=date(2024, 4, 2),
    )  # fmt: skip


def page_of(facts: Facts) -> tuple[Sheet, ...]:
    """A page of one layout: number, description, quantity, price, total; then the sums."""
    item = facts.items[0]
    lines = [
        (5, "Acme Ltd@10"), (8, "Jane Roe@10 Invoice INV-77@60"), (11, "2024-03-03@60"),
        (20, f"1@5 {item.description}@10 {item.quantity}@50 {item.price}@60 {item.total}@80"),
        (30, f"Subtotal@50 {facts.net}@80"), (33, f"VAT@50 {facts.tax}@80"), (36, f"Total@50 {facts.total}@80"),
    ]  # fmt: skip
    return sheet(*lines)


def labelled(all_facts: list[Facts]) -> list[tuple[Found, list[str]]]:
    """What was found on the pages of one template, and the tags of each."""
    places, seen = Places(), []
    for facts in all_facts:
        found = look(page_of(facts), facts)
        learn(places, page_of(facts), found)
        seen.append((facts, found))
    for facts, found in seen:
        decide(places, page_of(facts), found)
    return [(found, tags_of(page_of(facts), found)[0]) for facts, found in seen]


TEACHERS = [facts_of(("Blue chair", str(n), "10.50"), tax=f"{n}.25") for n in (3, 4, 5)]
ROW = ["O", "B-LINE_DESCRIPTION", "I-LINE_DESCRIPTION", "B-LINE_QUANTITY", "B-LINE_UNIT_PRICE", "B-LINE_TOTAL"]


def test_amounts_that_differ_show_what_they_are() -> None:
    found, tags = labelled(TEACHERS)[0]
    assert tags[7:13] == ROW
    assert tags[13:] == ["O", "B-SUBTOTAL", "O", "B-TAX", "O", "B-TOTAL"]
    assert lacking(TEMPLATES["brena"], TEACHERS[0], found) is None


def test_equal_amounts_get_their_labels_from_the_template() -> None:
    """One piece, no tax: the quantity equals the row's number, price, total and both sums are the same."""
    _, tags = labelled([*TEACHERS, facts_of(("Blue chair", "1", "10.50"))])[-1]
    assert tags[7:13] == ["?", *ROW[1:]]
    assert tags[13:] == ["O", "B-SUBTOTAL", "O", "B-TAX", "O", "B-TOTAL"]


def test_what_no_other_document_shows_is_unknown() -> None:
    found, tags = labelled([facts_of(("Blue chair", "1", "10.50"))])[0]
    assert tags[11:13] == ["?", "?"]
    assert lacking(TEMPLATES["brena"], TEACHERS[0], found) == "amounts"


def test_further_lines_of_a_description_are_unknown() -> None:
    facts = facts_of(("Blue chair", "3", "10.50"))
    facts = replace(facts, items=(replace(facts.items[0], details="made of wood"),))
    page = sheet((20, "Blue chair@10 3@50 10.50@60 31.50@80"), (22, "made of wood@10"))
    found = look(page, facts)
    assert tags_of(page, found)[0][5:] == ["?", "?", "?"]


def test_a_document_without_its_number_is_dropped() -> None:
    facts = TEACHERS[0]
    found = look(page_of(facts), replace(facts, number="INV-78"))
    assert lacking(TEMPLATES["brena"], facts, found) == "number"


def test_a_document_is_written_in_the_format_of_real_ones() -> None:
    facts = TEACHERS[0]
    found, tags = labelled(TEACHERS)[0]
    line = document(TEMPLATES["brena"], facts, 7, "text-pdf", page_of(facts), found, [tags], "train")
    assert line["id"] == "tmpl-brena-7"
    assert len(line["labels"][0]) == len(line["pages"][0]["words"])
    assert set(line["labels"][0]) <= {*TAGS, "?"}
    assert line["values"]["vendor_name"] == "Acme Ltd"
    assert line["values"]["amount"] == float(facts.total)
    assert line["values"]["due_at"] is None


@pytest.mark.parametrize("seed", range(30))
def test_sums_follow_from_the_rows(seed: int) -> None:
    facts = build_facts(seeded(seed), FactOptions(discount=True, shipping=True, paid=True))
    assert sum((item.total for item in facts.items), Decimal(0)) == facts.subtotal
    assert facts.total == facts.subtotal - facts.discount + facts.shipping + facts.tax
    assert 0 <= facts.amount_due <= facts.total
    assert len({item.description.casefold() for item in facts.items}) == len(facts.items)


def test_templates_are_permissively_licensed_and_pinned() -> None:
    assert len(TEMPLATES) >= 40
    for template in TEMPLATES.values():
        assert template.licence in PERMISSIVE, template.name
        assert all(re.fullmatch(r".+(==|@)\d[\w.]*", package) for package in template.packages), template.name


def test_layouts_that_the_service_is_measured_with_are_left_out() -> None:
    packages = " ".join(package for template in TEMPLATES.values() for package in template.packages)
    assert not [name for name in MEASURED_WITH if name in packages]


def test_a_tenth_of_the_templates_is_held_out_with_its_whole_package() -> None:
    names = held_out()
    assert 0.05 < len(names) / len(TEMPLATES) <= 0.1
    packages = {TEMPLATES[name].package for name in names}
    assert {each.name for each in TEMPLATES.values() if each.package in packages} == names
