"""What people say about own fields of an invoice teaches."""

from serve_app.domain.confidence import Confidence
from serve_app.domain.invoice import Citation, CustomValue, Field, ReviewStatus
from serve_app.domain.own_field import OwnFieldType
from serve_app.domain.own_field_example import FieldPlace, FieldTrial, OwnFieldExample
from serve_app.domain.review import NO_REVIEW, Decision, Review, Verdict, overlaid
from serve_app.domain.vendor import NOTHING_KNOWN
from serve_app.extraction.own_fields.learn import own_field_example, place_of, value_in
from serve_app.extraction.own_fields.page_lines import Pages
from tests.extraction.own_fields.pages import field, invoice
from tests.extraction.own_fields.test_find_lines import table
from tests.support import NOON, make_invoice

PAGE = invoice("B-XY 12")
FOUND = CustomValue(value="B-XY 12", confidence=Confidence.MID, score=0.7)
CONFIRMED = NO_REVIEW.changed({}, Verdict(status=ReviewStatus.CONFIRMED, by="Ann", at=NOON))


def said(value: str | None) -> Review:
    return NO_REVIEW.changed({"custom.plate": Decision(value=value, by="Ann", at=NOON)})


def example(read: CustomValue, review: Review) -> OwnFieldExample | None:
    before = make_invoice().model_copy(update={"custom": {"plate": read}, "vendor_name": "Garage Holm"})
    after, kept = overlaid(before, review)
    return own_field_example(after, before, kept, PAGE, NOTHING_KNOWN)


class TestExample:
    def test_nothing_is_taught_before_somebody_has_said_something(self) -> None:
        assert example(FOUND, NO_REVIEW) is None

    def test_a_decided_value_teaches_its_place_and_whether_the_found_one_was_right(self) -> None:
        taught = example(FOUND, said("B-XY 12"))
        assert taught is not None
        assert taught.trials == [FieldTrial("plate", 0.7, is_right=True)]
        place = taught.places["plate"]
        assert (place.value, place.text) == ("B-XY 12", "B-XY 12")
        assert place.position is not None
        assert (place.position.before, place.position.above) == ("car", "mechanic in charge")
        assert "name:garageholm" in taught.keys

    def test_another_value_shows_that_the_found_one_was_wrong(self) -> None:
        taught = example(FOUND, said("C-A 1"))
        assert taught is not None
        assert taught.trials == [FieldTrial("plate", 0.7, is_right=False)]
        assert taught.places == {"plate": FieldPlace("C-A 1")}

    def test_a_confirmed_invoice_teaches_what_was_found_on_it(self) -> None:
        taught = example(FOUND, CONFIRMED)
        assert taught is not None
        assert taught.places["plate"].text == "B-XY 12"
        assert example(CustomValue(), CONFIRMED) is None

    def test_not_printed_is_taught_only_if_somebody_has_said_it(self) -> None:
        taught = example(CustomValue(), said(None))
        assert taught is not None
        assert taught.places == {"plate": FieldPlace(None)}

    def test_what_one_way_has_found_proves_nothing(self) -> None:
        taught = example(FOUND.model_copy(update={"confidence": Confidence.LOW}), said("B-XY 12"))
        assert taught is not None
        assert taught.trials == []

    def test_a_rejected_invoice_teaches_nothing(self) -> None:
        rejected = said("B-XY 12").changed({}, Verdict(status=ReviewStatus.REJECTED, by="Ann", at=NOON, reason="-"))
        assert example(FOUND, rejected) is None


class TestPlace:
    def test_neighbours_leave_out_the_value_and_its_caption(self) -> None:
        place = place_of(Pages(PAGE), CustomValue(value="B-XY 12"))
        assert "car" not in {neighbour.word for neighbour in place.neighbours}
        assert "mileage" in {neighbour.word for neighbour in place.neighbours}

    def test_a_value_that_is_printed_twice_has_no_place_unless_somebody_points_at_it(self) -> None:
        twice = invoice("B-XY 12", (500, 6000, "Plate of B-XY 12"))
        assert place_of(Pages(twice), CustomValue(value="B-XY 12")).position is None
        box = Citation(page=1, box=(0.0, 0.59, 1.0, 0.62), text="")
        pointed = place_of(Pages(twice), CustomValue(value="B-XY 12", citation=box))
        assert pointed.position is not None


class TestValueInBox:
    def test_it_is_of_the_type_of_the_field(self) -> None:
        box = Citation(page=1, box=(0.0, 0.09, 1.0, 0.12), text="")
        day = value_in(PAGE, field(type=OwnFieldType.DATE), box)
        assert day is not None
        assert (day[0], day[1].text) == ("2026-04-03", "3.4.2026")
        assert value_in(PAGE, field(type=OwnFieldType.CHOICE, choices=["small"]), box) is None
        nowhere = Citation(page=2, box=(0.0, 0.0, 1.0, 1.0), text="")
        assert value_in(PAGE, field(), nowhere) is None


class TestLines:
    def example(self, *lots: str | None, review: Review) -> OwnFieldExample | None:
        """Of an invoice on whose lines these lots were found, although others are printed."""
        evidence, items, places = table("A12", "A13")
        lines = [
            item.model_copy(update={"custom": {"lot": CustomValue(value=lot, confidence=Confidence.MID, score=0.7)}})
            for item, lot in zip(items, lots, strict=True)
        ]
        cited = {Field.LINE_ITEMS: [each for each in places if each]}
        before = make_invoice().model_copy(update={"line_items": lines, "citations": cited})
        after, kept = overlaid(before, review)
        return own_field_example(after, before, kept, evidence, NOTHING_KNOWN)

    def test_a_decided_one_teaches_its_place_among_the_columns(self) -> None:
        decided = NO_REVIEW.changed({"line.2.custom.lot": Decision(value="A13", by="Ann", at=NOON)})
        taught = self.example("A12", "A12", review=decided)
        assert taught is not None
        assert taught.trials == [FieldTrial("lot", 0.7, is_right=False)]
        (place,) = taught.rows["lot"]
        assert place.position is not None
        assert (place.text, place.position.above) == ("A13", "lot no")
        assert [each.word for each in place.neighbours] == ["description", "quantity", "total"]

    def test_a_confirmed_invoice_teaches_all_lines(self) -> None:
        taught = self.example("A12", None, review=CONFIRMED)
        assert taught is not None
        assert [place.text for place in taught.rows["lot"]] == ["A12"]

    def test_rows_that_a_person_added_have_no_place(self) -> None:
        cells = {"description": "Oil C", "quantity": "9", "unit_price": None, "total": "1", "tax_rate": None}
        entered = Decision(value=[cells], by="Ann", at=NOON)
        lot = Decision(value="A13", by="Ann", at=NOON)
        taught = self.example("A12", "A13", review=NO_REVIEW.changed({"line_items": entered, "line.1.custom.lot": lot}))
        assert taught is not None
        assert taught.rows == {"lot": [FieldPlace("A13")]}
