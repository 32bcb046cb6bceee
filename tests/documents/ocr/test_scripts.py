"""Letters that a network took for those of another script."""

import pytest

from serve_app.documents.ocr.scripts import in_one_script


@pytest.mark.parametrize(
    ("line", "repaired"),
    [
        ("AΦOI ΨAPAKH O.E.", "ΑΦΟΙ ΨΑΡΑΚΗ Ο.Ε."),
        ("TΔA0000412", "ΤΔΑ0000412"),
        ("ΘEPMAÍKOY", "ΘΕΡΜΑΊΚΟΥ"),
        ("IPIΣ SOFT", "ΙΡΙΣ SOFT"),
        ("TIMOΛOΓIO No IBAN", "ΤΙΜΟΛΟΓΙΟ No IBAN"),
        # The sign of the lira.
        ("も2.400,00", "₺2.400,00"),
        ("1.200,00 も", "1.200,00 ₺"),
        ("これ も", "これ も"),
        # Units, and Latin words.
        ("5kΩ 12µm Akme A.E.", "5kΩ 12µm Akme A.E."),
    ],
)
def test_words_are_in_one_script(line: str, repaired: str) -> None:
    assert in_one_script(line.split()) == repaired.split()
