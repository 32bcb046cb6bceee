"""Names that were read otherwise than they are printed."""

import pytest

from serve_app.extraction.candidates.objections import is_misread, is_plausible
from serve_app.extraction.candidates.vendors import vendor_candidates
from serve_app.extraction.evidence import gather
from tests.extraction.pages import document_of, reading_of


@pytest.mark.parametrize(
    "name",
    ["MIRADOR D E L RIO", "T hornbury W akefield", "VERLAG A M WEHR", "L ockhart Ye u n g", "Cafe Akme AKME Ltd"],
)
def test_letters_read_apart_and_names_read_together_are_known(name: str) -> None:
    assert is_misread(name)


@pytest.mark.parametrize("name", ["J R Smith Plumbing", "R & T Akme", "A la carte Catering", "Akme S.L.", "P O Box 12"])
def test_initials_are_no_letters_read_apart(name: str) -> None:
    assert not is_misread(name)


def test_a_misread_name_counts_only_where_the_models_see_no_other() -> None:
    apart, whole = "M|SELLER I|SELLER R|SELLER Rio|SELLER", "Hotel|SELLER Mir|SELLER"
    assert names(apart, whole) == {"Hotel Mir"}
    assert "M I R Rio" in names(apart)


def names(*lines: str) -> set[str]:
    pages = gather(document_of(lines), reading_of(lines, sure=0.9))
    return {candidate.value for candidate in vendor_candidates(pages) if is_plausible(candidate.features)}
