"""Which names look like a person's."""

import pytest

from serve_app.extraction.parties.given_names import looks_like_person


@pytest.mark.parametrize(
    "name",
    ["Petra Schmidt", "Dr. Petra Schmidt", "Schmidt, Petra", "Łukasz Nowak", "JOÃO DA SILVA", "Anne-Kathrin Vogel"],
)
def test_persons_have_a_given_name(name: str) -> None:
    assert looks_like_person(name)


@pytest.mark.parametrize(
    "name", ["Akme Tools", "Petra", "Petra Schmidt 4711", "Petra Schmidt Garden and Landscape Design", ""]
)
def test_others_have_none_or_are_longer_or_shorter(name: str) -> None:
    assert not looks_like_person(name)
