"""Texts are compared in a search without case and accents."""

import pytest

from serve_app.domain.folding import folded


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("İstanbul", "istanbul"),
        ("ΑΘΉΝΑ", "Αθηνα"),
        ("Οδυσσεύς", "ΟΔΥΣΣΕΥΣ"),
        ("Café", "Cafe\u0301"),
        ("CRÈME", "creme"),
        ("Straße", "STRASSE"),
        ("ﬁnance", "FINANCE"),
        ("Ｆｕｊｉ", "fuji"),
        ("Việt", "viet"),
        ("أحمد", "احمد"),
        ("Ёлка", "елка"),
    ],
)
def test_case_and_accents_make_no_difference(text: str, other: str) -> None:
    assert folded(text) == folded(other)


@pytest.mark.parametrize(("text", "other"), [("กุ", "กู"), ("が", "か"), ("कल", "कुल"), ("ışık", "isik"), ("각", "가")])
def test_letters_stay_what_they_are(text: str, other: str) -> None:
    assert folded(text) != folded(other)
    assert folded(other) not in folded(text)


def test_every_character_folds_once_and_for_all() -> None:
    """Also from the form that earlier versions stored, which had only its case folded."""
    # The planes that have letters.
    for number in range(0x30000):
        once = folded(chr(number))
        assert folded(once) == once, hex(number)
        assert folded(chr(number).casefold()) == once, hex(number)
