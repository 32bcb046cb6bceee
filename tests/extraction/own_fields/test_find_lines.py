"""Own fields are found on each line: under the heading of their column, and by their place in the row."""

from collections.abc import Sequence
from decimal import Decimal
from uuid import uuid4

import pytest

from serve_app.domain.evidence import Evidence, fractions
from serve_app.domain.invoice import Citation, CustomValue, LineItem
from serve_app.domain.own_field import OwnField, OwnFieldScope, OwnFieldType
from serve_app.domain.own_field_example import OwnFieldExample
from serve_app.extraction.own_fields.find import FoundValue
from serve_app.extraction.own_fields.find_lines import find_on_lines
from serve_app.extraction.own_fields.learn import row_place_of
from serve_app.extraction.own_fields.page_lines import Pages
from serve_app.extraction.own_fields.rows import rows_of
from tests.extraction.own_fields.pages import draw, field

LOT = field("lot", "Batch", scope=OwnFieldScope.LINE)
HOLM, OTHER = ("name:holm",), ("name:other",)
Table = tuple[Evidence, list[LineItem], list[Citation | None]]


def table(*lots: str, heading: str = "Lot no.", left: int = 3000, below: str = "") -> Table:
    """An invoice with a line for each lot, whose column begins at `left`. With a caption `below`, the lots are printed
    behind that below the descriptions, and have no column."""
    texts = [(500, 400, "Holm Oils"), (500, 1000, "Invoice 4711"), (500, 1700, "Article")]
    texts += [(left, 1700, heading)] if heading and not below else []
    texts += [(6500, 1700, "Quantity"), (8500, 1700, "Total")]
    items: list[LineItem] = []
    places: list[Citation | None] = []
    for number, lot in enumerate(lots):
        top = 2000 + 400 * number
        texts += [(500, top, f"Oil {chr(65 + number)}"), *([(left, top, lot)] if lot and not below else [])]
        texts += [(6500, top, str(number + 2)), (8500, top, f"{number + 5}.00")]
        texts += [(500, top + 200, f"{below} {lot}")] if below else []
        values = {"quantity": Decimal(number + 2), "unit_price": None, "total": Decimal(number + 5)}
        items.append(LineItem(description=f"Oil {chr(65 + number)}", confidence=None, **values))
        box = fractions((500, top, 9000, top + (320 if below else 120)))
        places.append(Citation(page=1, box=box, text=""))
    texts.append((500, 6000, "Thank you"))
    return Evidence((draw(*texts),)), items, places


def taught(page: Table, values: dict[int, str | None], vendor: str = "holm") -> OwnFieldExample:
    """What an invoice teaches on which somebody has entered these lots, by the numbers of the lines."""
    evidence, items, places = page
    pages = Pages(evidence)
    rows = rows_of(pages, items, places)
    found = [row_place_of(pages, rows[line - 1], CustomValue(value=value)) for line, value in values.items()]
    return OwnFieldExample(uuid4(), (f"name:{vendor}",), {}, rows={"lot": found})


def found_on(
    page: Table, *examples: OwnFieldExample, keys: tuple[str, ...] = HOLM, wanted: OwnField = LOT
) -> Sequence[FoundValue | None]:
    return find_on_lines([wanted], page[0], keys, examples, page[1], page[2])[wanted.name]


def values(found: Sequence[FoundValue | None]) -> list[str | None]:
    return [each and each.value for each in found]


ONE = taught(table("A12", "A13"), {1: "A12"})


class TestHeadings:
    def test_the_label_finds_a_column_before_anybody_has_pointed(self) -> None:
        found = found_on(table("A12", "", "B7", heading="Batch"))
        assert values(found) == ["A12", None, "B7"]
        assert not any(each and each.is_agreed for each in found)

    def test_a_learned_heading_finds_the_column_of_other_vendors(self) -> None:
        assert values(found_on(table("A12", "C9", left=4500), ONE, keys=OTHER)) == ["A12", "C9"]

    def test_headings_of_narrow_columns_stand_close_together(self) -> None:
        # A letter and a half apart.
        page = table("kg", "pcs", heading="Unit", left=6060)
        place = taught(page, {1: "kg"}).rows["lot"][0]
        assert place.position is not None
        assert place.position.above == "unit"

    def test_a_value_that_was_read_is_none(self) -> None:
        assert values(found_on(table("A12", heading="Batch", left=6500)))[:1] != ["2"]

    def test_what_stands_in_the_middle_of_a_column_has_no_heading(self) -> None:
        # The lot is a part of the description.
        evidence, items, places = table("A12", heading="", left=900)
        place = row_place_of(Pages(evidence), rows_of(Pages(evidence), items, places)[0], CustomValue(value="A12"))
        assert place.position is not None
        assert place.position.above == ""


class TestPlaces:
    def test_one_pointed_value_suffices_for_all_rows_of_the_next_invoice(self) -> None:
        found = found_on(table("A14", "A15", "A16"), ONE)
        assert values(found) == ["A14", "A15", "A16"]
        assert all(each and each.is_agreed for each in found)
        assert [each.citation.text for each in found if each] == ["A14", "A15", "A16"]

    def test_a_code_that_is_the_first_word_of_the_description_is_no_part_of_it(self) -> None:
        page = Evidence((draw((500, 2000, "Oil"), (1500, 2000, "Oil B"), (6500, 2000, "2")),))
        item = LineItem(description="Oil B", quantity=Decimal(2), unit_price=None, confidence=None)
        place = Citation(page=1, box=fractions((500, 2000, 7000, 2120)), text="")
        (row,) = rows_of(Pages(page), [item], [place])
        assert row is not None
        assert {name: word.x0 for name, word in row.cells.items()} == {"description": 1500, "quantity": 6500}

    def test_a_row_without_a_value_has_none(self) -> None:
        assert values(found_on(table("A14", "", "A16"), ONE)) == ["A14", None, "A16"]

    def test_a_column_without_a_heading_is_found_by_its_place(self) -> None:
        found = found_on(table("A14", "A15", heading=""), taught(table("A12", "A13", heading=""), {2: "A13"}))
        assert values(found) == ["A14", "A15"]
        assert not any(each and each.is_agreed for each in found)

    def test_a_caption_in_each_row_is_one(self) -> None:
        example = taught(table("A12", "A13", below="Charge:"), {2: "A13"})
        for keys in (HOLM, OTHER):
            found = found_on(table("B7", "B8", "B9", below="Charge:"), example, keys=keys)
            assert values(found) == ["B7", "B8", "B9"]
            assert all(each and each.is_agreed for each in found)

    def test_a_moved_column_is_found_by_its_heading_alone(self) -> None:
        found = found_on(table("A14", "A15", left=4500), ONE)
        assert values(found) == ["A14", "A15"]
        assert not any(each and each.is_agreed for each in found)

    def test_a_field_that_the_vendor_does_not_print_is_not_looked_for(self) -> None:
        never = [taught(table("A12"), {1: None}), taught(table("A12"), {1: None})]
        assert values(found_on(table("A14", heading="Batch"), *never)) == [None]


class TestTypes:
    @pytest.mark.parametrize(
        ("type", "printed", "wanted"),
        [(OwnFieldType.NUMBER, "1,250.5", "1250.5"), (OwnFieldType.DATE, "2026-03-04", "2026-03-04")],
    )
    def test_values_are_stored_by_their_type(self, type: OwnFieldType, printed: str, wanted: str) -> None:
        typed = field("lot", "Batch", scope=OwnFieldScope.LINE, type=type)
        assert values(found_on(table(printed, heading="Batch"), wanted=typed)) == [wanted]


def test_rows_that_nobody_knows_the_place_of_have_nothing() -> None:
    evidence, items, _ = table("A12", heading="Batch")
    assert find_on_lines([LOT], evidence, HOLM, [ONE], items, [None]) == {"lot": [None]}
