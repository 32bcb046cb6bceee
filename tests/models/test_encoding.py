"""Pages become the tokens that each kind of model was trained on."""

from pathlib import Path

import pytest

from models.encoding import NO_BOX, LayoutEncoder, TextEncoder, Window, layout_box, windows
from models.pieces import MAX_PIECES, WordPieces
from serve_app.domain.document import Box, Page, Word
from tests.support.checkpoints import write_text_checkpoint

PAGE = Page(
    1,
    600.0,
    800.0,
    (
        Word("total", Box(0.1, 0.1, 0.2, 0.12)),
        Word("9.50", Box(0.8, 0.1, 0.9, 0.12)),
        Word("paid", Box(0.1, 0.2, 0.2, 0.22)),
        Word("in", Box(0.21, 0.2, 0.24, 0.22)),
    ),
)


@pytest.fixture(scope="module")
def pieces(tmp_path_factory: pytest.TempPathFactory) -> WordPieces:
    folder: Path = tmp_path_factory.mktemp("checkpoint")
    return WordPieces(write_text_checkpoint(folder))


def test_a_long_word_keeps_its_start_and_its_end(pieces: WordPieces) -> None:
    whole, cut = pieces.of_word("1234"), pieces.of_word("123456789")
    assert len(cut) == MAX_PIECES
    assert cut[: MAX_PIECES - 1] == whole[: MAX_PIECES - 1]
    assert cut[-1] == pieces.of_word("19")[-1]


def test_a_word_that_is_no_text_is_one_unknown_token(pieces: WordPieces) -> None:
    assert pieces.of_word("\u0007") == (pieces.unknown,)


def test_layout_tokens_carry_their_words_box(pieces: WordPieces) -> None:
    sequence = LayoutEncoder(pieces).encode(PAGE)
    assert [word for word, _ in sequence.first] == [0, 1, 2, 3]
    assert sequence.boxes[0] == (100, 100, 200, 120)
    assert len(sequence.boxes) == len(sequence.ids)


def test_text_tokens_show_lines_and_columns(pieces: WordPieces) -> None:
    sequence = TextEncoder(pieces).encode(PAGE)
    line, gap = pieces.special("[NL]"), pieces.special("[GAP]")
    assert sequence.ids.count(line) == 2
    assert sequence.ids.count(gap) == 1, "between the columns, not between words of a sentence"
    assert set(sequence.boxes) == {NO_BOX}


def test_boxes_outside_the_page_are_brought_inside() -> None:
    assert layout_box(Box(-0.1, 0.5, 1.2, 0.4)) == (0, 500, 1000, 500)


def test_windows_cover_everything_and_overlap_by_a_quarter() -> None:
    assert list(windows(10, 20)) == [Window(0, 10)]
    assert list(windows(35, 20)) == [Window(0, 20), Window(15, 35)]
    assert list(windows(36, 20)) == [Window(0, 20), Window(15, 35), Window(30, 36)]
