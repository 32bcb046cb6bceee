"""Names beside the vendor's: brands of it, or other parties."""

from collections.abc import Sequence

import pytest

from serve_app.domain.labels import TAGS
from serve_app.extraction.candidates.candidate import Candidate, Place
from serve_app.extraction.evidence import gather
from serve_app.extraction.fields import read_fields
from serve_app.extraction.parties.rivals import is_longer_elsewhere
from tests.extraction.pages import document_of, reading_of

COMPANY = ("Akme|SELLER Tools|SELLER Ltd|SELLER", "Company No. 1234567", "1 High Street, Tel. 030 1234", "Line", "Line")


def vendor_has_rival(*lines: str) -> bool:
    fields = read_fields(gather(document_of(lines), reading_of(lines)))
    assert fields.vendor is not None
    assert fields.vendor.value == "Akme Tools Ltd"
    return fields.about_vendor.has_rival


def test_a_company_alone_has_no_rival() -> None:
    assert not vendor_has_rival(*COMPANY, "Akme|SELLER Tools|SELLER Ltd|SELLER", "Akme|SELLER")


def test_a_brand_is_no_rival_of_a_company_registered_on_the_page() -> None:
    assert not vendor_has_rival(*COMPANY, "Sarang|SELLER Home|SELLER")


def test_a_brand_is_a_rival_where_no_company_is_registered() -> None:
    assert vendor_has_rival(COMPANY[0], *COMPANY[2:], "Sarang|SELLER Home|SELLER")


@pytest.mark.parametrize(
    "party",
    [
        "Beispiel|SELLER Holding|SELLER Ltd|SELLER",
        "Johanna|SELLER Muster|SELLER",
        "Sarang|SELLER Inh.|SELLER Kaya|SELLER",
    ],
)
def test_another_company_a_person_and_who_runs_the_shop_are_rivals(party: str) -> None:
    assert vendor_has_rival(*COMPANY, party)


def test_a_name_that_goes_on_is_a_part_of_another() -> None:
    lines = (*COMPANY, "Sarang|SELLER Home|SELLER")
    assert not _has_rival(lines, continued=False)
    assert _has_rival(lines, continued=True)


def _has_rival(lines: Sequence[str], *, continued: bool) -> bool:
    """Whether the first name has a rival; `continued`: the models take its first word for the middle of a name."""
    reading = reading_of(lines)
    if continued:
        begins, goes_on = TAGS.index("B-SELLER"), TAGS.index("I-SELLER")
        first = reading.pages[0].scores[0]
        first[begins], first[goes_on] = first[goes_on], first[begins]
    return read_fields(gather(document_of(lines), reading)).about_vendor.has_rival


def test_a_name_that_is_printed_longer_more_than_once_is_cut() -> None:
    seen = {"model:weakest word": 1.0}
    once = [
        Candidate("Akme Tools", 0.0, Place(0, (1, 2)), seen),
        Candidate("Akme Tools North", 0.0, Place(0, (1, 2, 3)), seen),
    ]
    twice = [*once, Candidate("AKME TOOLS NORTH", 0.0, Place(0, (7, 8, 9)), seen)]
    assert not is_longer_elsewhere(once, "Akme Tools")
    assert is_longer_elsewhere(twice, "Akme Tools")
    assert not is_longer_elsewhere(twice, "Akme Tools North")
