"""An id has one way to be written."""

from uuid import UUID

import pytest

from serve_app.domain.ids import parse_id

ID = UUID("019e2f3a-5b1c-7d4e-8f60-718293a4b5c6")


@pytest.mark.parametrize("text", [str(ID), str(ID).upper()])
def test_the_canonical_form_is_read_in_any_case(text: str) -> None:
    assert parse_id(text) == ID


@pytest.mark.parametrize(
    "text",
    [
        *("", "7", ID.hex, f"{{{ID}}}", f"urn:uuid:{ID}", f" {ID}", f"{ID}\n"),
        str(ID).replace("-", "", 1),
        "\u0660" + str(ID)[1:],
    ],
)
def test_no_other_form_is_an_id(text: str) -> None:
    assert parse_id(text) is None
