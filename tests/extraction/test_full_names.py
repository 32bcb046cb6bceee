"""A brand gives way to the name of which it is the beginning."""

import pytest

from serve_app.extraction.candidates import Candidate, Place
from serve_app.extraction.parties.full_names import with_full_name, with_owner
from serve_app.extraction.ranking.options import Features, Option, relative_log_odds

HERE, THERE = Place(0, (0,)), Place(0, (9,))


def best(name: str, other: str, features: Features | None = None) -> str:
    options = [Option(name, HERE, {}), Option(other, THERE, features or {})]
    return with_full_name([Candidate(name, 0.8, HERE), Candidate(other, 0.1, THERE)], options)[0].value


def test_a_brand_gives_way_to_the_full_name() -> None:
    assert best("BOIS & CHARPENTES", "Bois et Charpentes du Velay SA") == "Bois et Charpentes du Velay SA"
    assert best("NURIA COLOMER", "Nuria Colomer Vidal") == "Nuria Colomer Vidal"


@pytest.mark.parametrize(
    ("other", "features"),
    [
        ("Akme Tools Ltd", {"section:buyer": 1.0}),
        ("Akme is a brand of Forum Ltd", {}),
        ("Akme Murermester Jensen ApS", {"two lines": 1.0}),
        ("Akme Tools", {}),
        ("Forum Ltd", {}),
    ],
)
def test_other_names_do_not_replace_it(other: str, features: Features) -> None:
    assert best("Akme", other, features) == "Akme"


def test_their_scores_add_up() -> None:
    options = [Option("Akme", HERE, {}), Option("Akme Tools Ltd", THERE, {})]
    first, *rest = with_full_name([Candidate("Akme", 0.6, HERE), Candidate("Akme Tools Ltd", 0.3, THERE)], options)
    assert (first.place, round(first.score, 2), rest) == (THERE, 0.9, [])


@pytest.mark.parametrize(
    ("owner", "sure", "is_given"),
    [("Forum Foods Ltd", 0.9, True), ("Forum Foods Ltd", 0.3, False), ("Restaurant & Bar Ltd", 0.9, False)],
)
def test_a_brand_gives_way_to_the_company_right_below_it(owner: str, sure: float, is_given: bool) -> None:
    both = Option(f"Akme Bistro {owner}", Place(0, (0, 1, 2, 3, 4)), {"ends in a company": 1.0})
    alone = Option(owner, Place(0, (2, 3, 4)), {"model:weakest word": relative_log_odds(sure)})
    brand = Candidate("Akme Bistro", 0.8, Place(0, (0, 1)))
    found = with_owner([brand, Candidate(owner, 0.1, alone.place)], [both, alone])[0]
    assert found.value == (owner if is_given else "Akme Bistro")
