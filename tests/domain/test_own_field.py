"""Own fields: names, and what their values may be."""

import pytest

from serve_app.domain.errors import InvalidParameter
from serve_app.domain.own_field import OwnField, OwnFieldType, name_from


def normal(type: OwnFieldType, value: str) -> str:
    choices = ["Small", "Large"] if type is OwnFieldType.CHOICE else []
    return OwnField(name="x", label="X", type=type, choices=choices).normal(value, "value")


@pytest.mark.parametrize(
    ("type", "value", "stored"),
    [
        (OwnFieldType.TEXT, " B-XY \n 12", "B-XY 12"),
        (OwnFieldType.NUMBER, "12.50", "12.5"),
        (OwnFieldType.NUMBER, "1200", "1200"),
        (OwnFieldType.NUMBER, "-0.10", "-0.1"),
        (OwnFieldType.DATE, "2026-03-01", "2026-03-01"),
        (OwnFieldType.CHOICE, "LARGE", "Large"),
    ],
)
def test_equal_values_are_stored_alike(type: OwnFieldType, value: str, stored: str) -> None:
    assert normal(type, value) == stored


@pytest.mark.parametrize(
    ("type", "value"),
    [
        *((OwnFieldType.TEXT, text) for text in ("", " ", "x" * 501)),
        *((OwnFieldType.NUMBER, text) for text in ("1,5", "1e3", "NaN")),
        *((OwnFieldType.DATE, text) for text in ("1.3.2026", "2026-02-30")),
        (OwnFieldType.CHOICE, "medium"),
    ],
)
def test_other_values_are_refused(type: OwnFieldType, value: str) -> None:
    with pytest.raises(InvalidParameter) as error:
        normal(type, value)
    assert error.value.param == "value"


def test_a_name_is_made_of_the_label() -> None:
    assert name_from("Délivery  date (1st)") == "delivery_date_1st"
    assert len(name_from("a" * 99)) == 40
    for label in ("", "7 days", "日付"):
        with pytest.raises(InvalidParameter):
            name_from(label)
