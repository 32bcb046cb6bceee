"""Looking up the usual characters first reads what looking up all of them reads."""

import numpy as np
import pytest

from serve_app.documents.images.picture import Picture
from serve_app.documents.ocr.line_networks import LineNetwork, SplitNetwork, WholeNetwork, load_line_network
from serve_app.documents.ocr.networks import RECOGNISER, CpuNetwork, models_folder
from serve_app.documents.ocr.recognition import Recogniser
from tests.documents.images.printed import pixels, printed

LINES = ("Rechnung Nr. 2024-117", "Total: 1.234,56 €", "Hotel ★ ★ ★ Sonne", "→ 17 Stück", "★★★", "⑦ ⑧ 030 1234")


@pytest.fixture(scope="module")
def split() -> LineNetwork:
    return SplitNetwork(models_folder() / RECOGNISER)


def line(text: str) -> Picture:
    picture = pixels(printed((text,), height=30).image)
    rows = np.flatnonzero(picture.min(axis=(1, 2)) < 128)
    return picture[rows[0] - 6 : rows[-1] + 7]


def texts(network: LineNetwork) -> list[str]:
    return ["".join(letter.text for letter in letters) for letters in Recogniser(network).read(list(map(line, LINES)))]


def _without_blanks(text: str) -> str:
    """A blank, which is usual, is found more often where rare characters are only looked up if need be."""
    return text.replace(" ", "")


def test_usual_and_rare_characters_are_read_as_by_the_whole_network(split: LineNetwork) -> None:
    whole = texts(WholeNetwork(CpuNetwork(models_folder() / RECOGNISER)))
    assert [whole[0], whole[1], whole[4]] == [LINES[0], LINES[1], LINES[4]]
    assert [*map(_without_blanks, texts(split))] == [*map(_without_blanks, whole)]


def test_lines_of_a_page_do_not_change_each_other(split: LineNetwork) -> None:
    together = Recogniser(split).read(list(map(line, LINES)))
    alone = [Recogniser(split).read([line(text)])[0] for text in LINES]
    assert together == alone


def test_a_page_without_lines_has_none(split: LineNetwork) -> None:
    assert Recogniser(split).read([]) == []


def test_a_processor_looks_up_usual_characters_first() -> None:
    assert isinstance(load_line_network("cpu"), SplitNetwork)
