"""A CSV file of orders is read as it is meant, or refused with the line that is unclear."""

from datetime import date
from decimal import Decimal

import pytest

from serve_app.domain.order_file import MAX_ERRORS, LineError, OrderFile, parse_orders
from serve_app.domain.purchase_order import OrderDraft, OrderLine, OrderStatus

HEADER = "number,vendor,currency,quantity,unit_price,description,date\n"


def parse(text: str) -> OrderFile:
    return parse_orders(text.encode())


def only_error(text: str) -> LineError:
    found = parse(text)
    assert len(found.errors) == 1
    return found.errors[0]


class TestReading:
    def test_rows_with_the_same_number_are_the_lines_of_one_order(self) -> None:
        text = "PO-1,Norvik,EUR,10,25.00,Desk,2026-05-02\nPO-2,Norvik,EUR,1,9.5,Lamp,\npo 1,Norvik,EUR,2,0.125,Screw,\n"
        found = parse(HEADER + text)
        assert found.errors == ()
        oak = OrderLine(position=1, description="Desk", quantity=Decimal(10), unit_price=Decimal("25.00"))
        screw = OrderLine(position=2, description="Screw", quantity=Decimal(2), unit_price=Decimal("0.125"))
        assert found.drafts[0] == OrderDraft("PO-1", "Norvik", "EUR", (oak, screw), date(2026, 5, 2))
        assert [draft.number for draft in found.drafts] == ["PO-1", "PO-2"]

    def test_every_column_is_read(self) -> None:
        header = (
            "Number;Vendor;Currency;Date;Status;Position;Description;SKU;Quantity;Unit;Unit price;Received quantity"
        )
        row = '4711;"Mayer; Sons";eur;02.05.2026;CLOSED;20;"Oak ""desk""";D-1;1.200,5;pcs;3,25;0'
        (draft,) = parse(f"\ufeff{header}\r\n{row}\r\n").drafts
        assert (draft.vendor, draft.currency, draft.status) == ("Mayer; Sons", "EUR", OrderStatus.CLOSED)
        assert draft.ordered_on == date(2026, 5, 2)
        assert draft.lines[0].model_dump() == {
            **{"position": 20, "description": 'Oak "desk"', "sku": "D-1", "unit": "pcs"},
            **{"quantity": Decimal("1200.5"), "unit_price": Decimal("3.25"), "received_quantity": Decimal(0)},
        }

    @pytest.mark.parametrize(
        ("numbers", "read"),
        [
            (("1.000", "12.50"), (1, "12.5")),
            (("1.000", "12,50"), (1000, "12.5")),
            (("1,000", "12.50"), (1000, "12.5")),
            (("1 000", "7"), (1000, "7")),
            (("1'000", "0.5"), (1000, "0.5")),
        ],
    )
    def test_the_other_numbers_say_which_sign_is_before_decimals(
        self, numbers: tuple[str, str], read: tuple[int, str]
    ) -> None:
        text = HEADER.replace(",", ";") + f"1;Norvik;EUR;{numbers[0]};{numbers[1]};;\n"
        (draft,) = parse(text).drafts
        assert (draft.lines[0].quantity, draft.lines[0].unit_price) == (Decimal(read[0]), Decimal(read[1]))


class TestRefusing:
    @pytest.mark.parametrize(
        ("row", "line", "message"),
        [
            ("PO-1,Norvik,EUR,ten,1,,", 2, "quantity 'ten' is not a number"),
            ("PO-1,Norvik,EUR,-1,1,,", 2, "quantity '-1' is not a number"),
            ("PO-1,Norvik,Euro,1,1,,", 2, "currency 'EURO'"),
            ("PO-1,,EUR,1,1,,", 2, "vendor: enter"),
            (" - ,Norvik,EUR,1,1,,", 2, "number: enter"),
            ("PO-1,Norvik,EUR,1,1,,31/01/2026", 2, "date '31/01/2026'"),
            ("PO-1,Norvik,EUR,1,1,,31.02.2026", 2, "date '31.02.2026'"),
            ("PO-1,Norvik,EUR,1,1", 2, "5 values, the header 7"),
            ("PO-1,Norvik,EUR,1,1,,\nPO-1,Other,EUR,1,1,,", 3, "vendor differs from that in line 2"),
            ('PO-1,Norvik,EUR,1,1,"a,', 2, "not CSV"),
            (f"{'x' * 201},Norvik,EUR,1,1,,", 2, "longer than 200"),
            ("PO-1,Norvik,EUR,1,9999999999999,,", 2, "too large"),
            ('PO-1,Norvik,EUR,"1,000",7,,', 2, "can be read in two ways"),
            ("PO-1,Norvik,EUR,1.000,7,,", 2, "can be read in two ways"),
        ],
    )
    def test_the_line_and_its_problem_are_named(self, row: str, line: int, message: str) -> None:
        error = only_error(HEADER + row + "\n")
        assert error.line == line
        assert message in error.message

    def test_a_header_that_is_not_one_says_which_columns_there_are(self) -> None:
        assert "lacks the column unit_price" in only_error("number,vendor,currency,quantity\n").message
        assert "'colour' is unknown" in only_error(HEADER.strip() + ",colour\n").message
        assert "there twice" in only_error(HEADER.strip() + ",date\n").message
        assert "lacks the column number" in only_error("").message

    def test_another_encoding_names_its_line(self) -> None:
        found = parse_orders(HEADER.encode() + "PO-1,Müller,EUR,1,1,,\n".encode("cp1252"))
        assert found.errors[0].line == 2
        assert "UTF-8" in found.errors[0].message

    def test_every_wrong_order_is_named_up_to_a_bound(self) -> None:
        rows = "".join(f"PO-{n},Norvik,EUR,x,1,,\n" for n in range(MAX_ERRORS + 5))
        found = parse(HEADER + "A,Norvik,EUR,1,1,,\n" + rows)
        assert [error.line for error in found.errors] == list(range(3, MAX_ERRORS + 3))
