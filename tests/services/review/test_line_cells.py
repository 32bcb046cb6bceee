"""Own fields of lines are decided on cell by cell, beside the lines, and follow their lines."""

from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest

from serve_app.domain.audit import Actor, ActorKind
from serve_app.domain.errors import InvalidParameter
from serve_app.domain.invoice import Confidence, CustomValue, FieldSource, Invoice, LineItem, ReviewStatus, Status
from serve_app.domain.own_field import OwnField, OwnFieldScope, OwnFieldType
from serve_app.domain.review import NO_REVIEW, Review, as_read, needs_person, overlaid
from serve_app.services.review.change import FieldChange, ReviewChange
from tests.support import NOON, make_invoice

ANN = Actor(ActorKind.PERSON, uuid4(), "ann@example.com")
LOT = OwnField(name="lot", label="Lot", type=OwnFieldType.TEXT, scope=OwnFieldScope.LINE)
WEIGHT = OwnField(name="weight", label="Weight", type=OwnFieldType.NUMBER, scope=OwnFieldScope.LINE)
PLATE = OwnField(name="plate", label="Plate", type=OwnFieldType.TEXT)


def invoice(*lots: str | None, required: bool = False) -> Invoice:
    """As it was read, with a line for each of these lots."""
    found = [CustomValue(value=lot, confidence=Confidence.MID, score=0.9, required=required) for lot in lots]
    lines = [
        LineItem(
            description=f"Oil {number}",
            quantity=Decimal(number),
            unit_price=None,
            confidence=Confidence.HIGH,
            custom={"lot": each},
        )
        for number, each in enumerate(found, 1)
    ]
    return make_invoice().model_copy(update={"line_items": lines, "status": Status.COMPLETE, "auto_verified": True})


def row(number: int, lot: str | None = None, **more: Any) -> dict[str, Any]:
    """The line of this number, as a person sends it."""
    cells = {"description": f"Oil {number}", "quantity": str(number), **more}
    return cells if lot is None else {**cells, "custom": {"lot": FieldChange(lot)}}


def said(read: Invoice, fields: dict[str, Any], review: Review = NO_REVIEW) -> tuple[Invoice, Review]:
    """The invoice and the review after this change."""
    now, _ = overlaid(read, review) if review is not NO_REVIEW else (read, review)
    if review is not NO_REVIEW:
        now, review = overlaid(as_read(now, review), review)
    change = ReviewChange(fields).with_own_fields([LOT, WEIGHT, PLATE])
    return overlaid(as_read(now, review), change.apply(review, now, ANN, NOON))


def lots(read: Invoice) -> list[str | None]:
    return [item.custom["lot"].value for item in read.line_items]


class TestCells:
    def test_one_is_decided_on_and_the_lines_stay_as_they_were_read(self) -> None:
        read = invoice("A 1", "A 2")
        after, review = said(read, {"line.2.custom.lot": FieldChange("B 2")})
        assert lots(after) == ["A 1", "B 2"]
        assert [item.custom["lot"].source for item in after.line_items] == [FieldSource.MODELS, FieldSource.PERSON]
        assert after.review.fields == ["line.2.custom.lot"]
        assert after.review.corrections["line.2.custom.lot"].read == "A 2"
        assert lots(overlaid(as_read(after, review), review.undone())[0]) == ["A 1", "A 2"]

    def test_what_the_lines_say_of_own_fields_changes_nothing_else(self) -> None:
        after, review = said(invoice("A 1", "A 2"), {"line_items": FieldChange([row(1, "A 1"), row(2, "C 2")])})
        assert lots(after) == ["A 1", "C 2"]
        assert list(review.decisions) == ["line.2.custom.lot"]

    def test_values_have_the_type_of_their_field(self) -> None:
        after, _ = said(invoice(None), {"line.1.custom.weight": FieldChange("2.50")})
        assert after.line_items[0].custom["weight"].value == "2.5"
        for name, value in (("line.1.custom.weight", "heavy"), ("line.1.custom.plate", "B"), ("custom.lot", "B")):
            with pytest.raises(InvalidParameter):
                said(invoice(None), {name: FieldChange(value)})
        with pytest.raises(InvalidParameter, match="the invoice has 1 lines"):
            said(invoice(None), {"line.2.custom.lot": FieldChange("B")})

    def test_a_line_that_lacks_a_required_one_needs_a_person(self) -> None:
        assert not needs_person(invoice(None))
        read = invoice("A 1", required=True)
        assert needs_person(read)
        assert not needs_person(said(read, {"line.1.custom.lot": FieldChange("B 1")})[0])
        added, _ = said(read, {"line_items": FieldChange([row(1), row(2)]), "line.1.custom.lot": FieldChange("B 1")})
        assert needs_person(added)
        assert added.review.status is ReviewStatus.OPEN


class TestLinesThatChange:
    def test_what_was_found_stays_with_its_line(self) -> None:
        read = invoice("A 1", "A 2", "A 3")
        for rows, wanted in (
            ([row(1), row(3)], ["A 1", "A 3"]),
            ([row(9), row(1), row(2), row(3)], [None, "A 1", "A 2", "A 3"]),
            ([row(1), row(2, quantity="7"), row(3)], ["A 1", "A 2", "A 3"]),
            ([row(2), row(1), row(3)], ["A 2", "A 1", "A 3"]),
        ):
            after, _ = said(read, {"line_items": FieldChange(rows)})
            assert lots(after) == wanted
            assert after.line_items[-1].custom["lot"].confidence is Confidence.MID

    def test_what_was_decided_follows_its_line(self) -> None:
        read = invoice("A 1", "A 2", "A 3")
        _, review = said(read, {"line.3.custom.lot": FieldChange("B 3")})
        after, review = said(read, {"line_items": FieldChange([row(2), row(3)])}, review)
        assert lots(after) == ["A 2", "B 3"]
        assert sorted(review.decisions) == ["line.2.custom.lot", "line_items"]
        back, _ = overlaid(as_read(after, review), review.undone())
        assert lots(back) == ["A 1", "A 2", "B 3"]
        gone, review = said(read, {"line_items": FieldChange([row(2)])}, review)
        assert lots(gone) == ["A 2"]
        assert list(review.decisions) == ["line_items"]

    def test_taking_the_lines_back_takes_no_cell_back(self) -> None:
        read = invoice("A 1", "A 2")
        _, review = said(read, {"line.2.custom.lot": FieldChange("B 2")})
        _, review = said(read, {"line_items": FieldChange([row(9), row(1), row(2)])}, review)
        after, _ = said(read, {"line_items": None}, review)
        assert lots(after) == ["A 1", "B 2"]

    def test_the_cells_of_changed_lines_are_what_the_change_says(self) -> None:
        rows = [row(9, "N 9"), row(2, "A 2"), row(1, "B 1")]
        after, _ = said(invoice("A 1", "A 2"), {"line_items": FieldChange(rows)})
        assert lots(after) == ["N 9", "A 2", "B 1"]

    def test_a_decision_on_a_line_that_another_reading_lacks_waits(self) -> None:
        _, review = said(invoice("A 1", "A 2"), {"line.2.custom.lot": FieldChange("B 2")})
        shorter, kept = overlaid(invoice("A 1"), review)
        assert (lots(shorter), shorter.review.fields) == (["A 1"], [])
        assert lots(overlaid(invoice("A 1", "A 2"), kept)[0]) == ["A 1", "B 2"]
