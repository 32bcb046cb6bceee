"""Rows that viewers of electronic invoices print as records."""

from decimal import Decimal

from serve_app.extraction.notation.numbers import Style
from serve_app.extraction.tables.records import records
from tests.extraction.test_line_items import Cell, evidence_of, values


def record(left: int, name: str, quantity: str, price: str, total: str) -> list[list[Cell]]:
    right = left + 22
    return [
        [(left, "Bezeichnung:"), (right, name)],
        [(left, "Artikelnummer:"), (right, "A-7")],
        [(left, "Menge"), (right, quantity)],
        [(left, "Preis pro Einheit (netto)"), (right + 6, price)],
        [(left, "Gesamtpreis (netto)"), (right + 6, total)],
    ]


LAMP = record(5, "Lamp", "4", "2,50", "10,00")
DESK = record(55, "Desk", "2", "30,00", "60,00")


def test_a_record_whose_price_makes_its_total_is_a_row() -> None:
    found = records(evidence_of([*LAMP, [(5, "Bezeichnung:"), (27, "Note")]]), Style.COMMA)
    assert values(found) == [("Lamp", Decimal(4), Decimal("2.50"))]
    assert records(evidence_of(record(5, "Lamp", "4", "2,50", "11,00")), Style.COMMA) == []


def test_records_may_stand_side_by_side() -> None:
    side_by_side = [[*left, *right] for left, right in zip(LAMP, DESK, strict=True)]
    found = records(evidence_of(side_by_side), Style.COMMA)
    assert values(found) == [("Lamp", Decimal(4), Decimal("2.50")), ("Desk", Decimal(2), Decimal("30.00"))]


def test_a_record_may_have_its_numbers_beside_its_name_and_the_name_two_lines() -> None:
    lines: list[list[Cell]] = [
        [(5, "BT-153 Bezeichnung:"), (30, "Scaffold, to"), (60, "BT-129 Menge"), (85, "412")],
        [(30, "be set up"), (60, "BT-146 Einzelpreis"), (85, "7,85")],
        [(5, "Beschreibung:"), (30, "Gable"), (60, "BT-131 Gesamtpreis"), (85, "3234,20")],
    ]
    assert values(records(evidence_of(lines), Style.COMMA)) == [
        ("Scaffold, to be set up", Decimal(412), Decimal("7.85"))
    ]


def test_records_are_recognised_by_the_captions_of_tables() -> None:
    lines: list[list[Cell]] = [
        [(5, "Descripción:"), (30, "Lamp")],
        [(5, "Cantidad"), (30, "4")],
        [(5, "Precio unitario"), (30, "2,50")],
        [(5, "Importe neto"), (30, "10,00")],
    ]
    assert values(records(evidence_of(lines), Style.COMMA)) == [("Lamp", Decimal(4), Decimal("2.50"))]
