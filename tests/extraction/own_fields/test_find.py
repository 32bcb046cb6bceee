"""Own fields are found by caption and by place."""

import pytest

from serve_app.domain.evidence import Evidence
from serve_app.domain.own_field import OwnFieldType
from serve_app.extraction.own_fields.find import FoundValue, find_own_fields
from tests.extraction.own_fields.pages import draw, field, invoice, plates, taught

HOLM = ("name:holm",)
PLATE = field()


def found_plate(evidence: Evidence, *examples: object, keys: tuple[str, ...] = HOLM) -> FoundValue | None:
    return find_own_fields([PLATE], evidence, keys, list(examples)).get("plate")  # type: ignore[arg-type]


class TestByCaption:
    def test_the_label_finds_a_value_before_anybody_has_pointed(self) -> None:
        found = found_plate(invoice("B-XY 12", caption="Licence plate:"))
        assert found is not None
        assert (found.value, found.is_agreed, found.citation.text) == ("B-XY 12", False, "B-XY 12")

    def test_a_caption_that_somebody_has_named_may_stand_above(self) -> None:
        named = field(captions=["Kennzeichen"])
        page = draw((500, 1000, "Kennzeichen"), (4000, 1000, "Datum"), (500, 1200, "B-XY 12"), (4000, 1200, "3.4.2026"))
        assert find_own_fields([named], Evidence((page,)), (), [])["plate"].value == "B-XY 12"

    def test_one_letter_of_a_long_caption_may_be_misread(self) -> None:
        found = found_plate(invoice("B-XY 12", caption="Licence piate"))
        assert found is not None
        assert found.value == "B-XY 12"

    def test_a_part_of_another_caption_is_not_the_caption(self) -> None:
        named = field("when", "Date", type=OwnFieldType.DATE)
        page = draw((500, 1000, "Termination date 3.4.2026"))
        assert find_own_fields([named], Evidence((page,)), (), []) == {}

    def test_the_next_caption_is_no_value(self) -> None:
        assert found_plate(Evidence((draw((500, 1000, "Licence plate: Colour: red")),))) is None

    def test_a_learned_caption_finds_values_of_other_vendors(self) -> None:
        found = found_plate(invoice("M-AB 345"), *plates("B-XY 12", vendor="else"))
        assert found is not None
        assert found.value == "M-AB 345"


class TestByPlace:
    def test_neighbours_show_where_a_value_without_caption_is(self) -> None:
        examples = plates("B-XY 12", "B-ZZ 9", caption="")
        found = found_plate(invoice("M-AB 345", caption="", rows=2), *examples)
        assert found is not None
        assert found.value == "M-AB 345"

    def test_nothing_is_found_where_nothing_is_like_it(self) -> None:
        page = draw((500, 1000, "Garage Holm"), (500, 3000, "Thank you for your order"))
        assert found_plate(Evidence((page,)), *plates("B-XY 12")) is None

    def test_on_invoices_of_others_it_looks_like_values_that_were_pointed_at(self) -> None:
        page = draw((500, 1000, "Other Ltd"), (500, 3200, "Car: M-AB 345 in for repair"), (500, 3400, "Total 5.00"))
        found = found_plate(Evidence((page,)), *plates("B-XY 12", vendor="else"), keys=("name:other",))
        assert found is not None
        assert (found.value, found.is_agreed) == ("M-AB 345", True)

    def test_two_values_that_look_alike_do_not_agree(self) -> None:
        page = draw((500, 3100, "Car: M-AB 345 and"), (500, 3300, "vehicle N-CD 67 in"))
        found = found_plate(Evidence((page,)), *plates("B-XY 12", vendor="else"), keys=("name:other",))
        assert found is not None
        assert (found.value, found.is_agreed) == ("M-AB 345", False)

    def test_a_likeness_alone_is_no_value(self) -> None:
        page = draw((500, 1000, "Other Ltd"), (500, 3200, "Vehicle M-AB 345 in for repair"))
        assert found_plate(Evidence((page,)), *plates("B-XY 12", vendor="else"), keys=("name:other",)) is None


class TestBothWays:
    def test_they_agree_on_the_next_invoice_of_the_vendor(self) -> None:
        one = found_plate(invoice("M-AB 345", rows=2), *plates("B-XY 12"))
        three = found_plate(invoice("M-AB 345", rows=2), *plates("B-XY 12", "B-ZZ 9", "C-A 1"))
        assert one is not None
        assert three is not None
        assert (one.value, one.is_agreed, three.is_agreed) == ("M-AB 345", True, True)
        assert one.score < three.score < 1

    def test_what_the_invoice_itself_has_taught_does_not_count(self) -> None:
        (example,) = plates("B-XY 12")
        found = find_own_fields([PLATE], invoice("B-XY 12"), HOLM, [example], example.invoice_id)
        assert found == {}

    def test_a_vendor_that_never_prints_the_field_has_none(self) -> None:
        nothing = [taught(invoice("B-XY 12"), {"plate": None}) for _ in range(2)]
        printed = invoice("B-XY 12", caption="Licence plate")
        assert found_plate(printed, nothing[0]) is not None
        assert found_plate(printed, *nothing) is None


class TestTypes:
    @pytest.mark.parametrize(
        ("printed", "value"),
        [("14.9.2026", "2026-09-14"), ("14 September 2026", "2026-09-14"), ("2026-09-14,", "2026-09-14")],
    )
    def test_dates_are_iso(self, printed: str, value: str) -> None:
        named = field("delivered", "Delivered", type=OwnFieldType.DATE)
        page = draw((500, 1000, f"Delivered: {printed} by van"))
        assert find_own_fields([named], Evidence((page,)), (), [])["delivered"].value == value

    def test_a_date_that_may_be_two_days_is_never_agreed_on(self) -> None:
        named = field("delivered", "Delivered", type=OwnFieldType.DATE)

        def printed(day: str) -> Evidence:
            return Evidence((draw((500, 900, "Your order of the week"), (500, 1000, f"Delivered {day}")),))

        example = taught(printed("25.04.2026"), {"delivered": "2026-04-25"})
        pointed = [example]
        clear = find_own_fields([named], printed("26.04.2026"), HOLM, pointed)["delivered"]
        unclear = find_own_fields([named], printed("03.04.2026"), HOLM, pointed)["delivered"]
        assert unclear.is_agreed is False
        assert clear.value == "2026-04-26"

    def test_numbers_are_exact_and_choices_as_defined(self) -> None:
        page = draw((500, 1000, "Reading: 12.345,5 kWh"), (500, 1200, "Other 1.000,00"), (500, 1400, "Size: LARGE"))
        fields = [
            field("reading", "Reading", type=OwnFieldType.NUMBER),
            field("size", "Size", type=OwnFieldType.CHOICE, choices=["small", "large"]),
        ]
        found = find_own_fields(fields, Evidence((page,)), (), [])
        assert {name: each.value for name, each in found.items()} == {"reading": "12345.5", "size": "large"}
