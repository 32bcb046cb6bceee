"""Reading errors: measured on pairs of pages, and drawn by the generator as they were measured."""

import gzip
import json
from pathlib import Path
from random import Random

import pytest

from models.training.box_shifts import Shifts
from models.training.generator.core.misreadings import draw_level, lost_share, merged_share, misread, split_place
from models.training.misreadings import Tally, compare, main, table
from serve_app.domain.document import Box, Word

LETTER, HEIGHT, PITCH = 0.01, 0.02, 0.03


def seeded(name: str) -> Random:
    return Random(name)


def page(*lines: str) -> list[Word]:
    """Lines of words in fixed pitch."""
    words = []
    for row, line in enumerate(lines):
        column = 0
        for text in line.split(" "):
            x, y = 0.1 + column * LETTER, 0.1 + row * PITCH
            words.append(Word(text, Box(x, y, x + len(text) * LETTER, y + HEIGHT)))
            column += len(text) + 1
    return words


def tallied(printed: str, read: str) -> Tally:
    tally = Tally()
    compare(page("The same line", printed), page("The same line", read), tally)
    return tally


def test_a_misread_character_is_counted_with_what_it_was_read_as() -> None:
    assert tallied("Invoice Madrid 2024", "Invoice Hadrid 2024").misread == {"M": {"H": 1}}
    assert tallied("Invoice Madrid 2024", "Invoice Madrid 202").misread == {"4": {"": 1}}
    assert tallied("Invoice Modern 2024", "Invoice rnodern 2024").misread == {"M": {"rn": 1}}


def test_capitals_are_compared_without_regard_to_case() -> None:
    tally = Tally()
    compare(page("GRAND TOTAL 12.50"), page("Grand Total 12.50"), tally)
    assert not tally.misread


def test_lost_and_made_spaces_are_detected_by_what_stands_beside_them() -> None:
    assert tallied("Total sum 12", "Totalsum 12").merged == {"letters": 1}
    assert tallied("Total : 12.50", "Total: 12.50").merged == {"mark": 1}
    assert tallied("Total sum 12", "To tal sum 12").split == {"letters": 1}


def test_lost_words_are_counted_by_their_length() -> None:
    assert tallied("1 large coffee", "large coffee").lost == {"1": 1}
    assert tallied("large * coffee", "large coffee").lost == {"mark": 1}


def test_a_line_that_reads_quite_differently_counts_for_nothing() -> None:
    assert tallied("Total sum 12", "Öäüß %&/()=").seen.total() == len("Thesameline")


def test_a_shift_of_the_whole_page_is_no_error() -> None:
    printed = page(*["word after word after word"] * 5)
    shifts = Shifts()
    moved = [Word(w.text, Box(w.box.x0, w.box.y0 + 0.05, w.box.x1, w.box.y1 + 0.05)) for w in printed]
    shifts.add(list(zip(printed, moved, strict=True)))
    assert shifts.down == pytest.approx([0.0] * len(printed), abs=1e-6)
    assert shifts.heights == pytest.approx([0.0] * len(printed), abs=1e-6)


def test_the_command_adds_up_pairs_of_files(tmp_path: Path) -> None:
    words = [{"text": word.text, "box": [word.box.x0, word.box.y0, word.box.x1, word.box.y1]} for word in page("M" * 9)]
    read = [{**word, "text": "MMMMMMMMH"} for word in words]
    for name, content in (("print", words), ("read", read)):
        with gzip.open(tmp_path / f"{name}.jsonl.gz", "wt") as file:
            file.write(json.dumps({"id": f"{name}-7", "pages": [{"words": content}]}))
    arguments = [str(tmp_path / "print.jsonl.gz"), r"(\d+)$", str(tmp_path / "read.jsonl.gz"), r"(\d+)$"]
    main([str(tmp_path / "table.json"), *arguments])
    assert json.loads((tmp_path / "table.json").read_text())["misread"] == {"M": [0.11111, {"H": 1}]}


def test_the_generator_misreads_as_was_measured() -> None:
    """Measuring the drawn errors gives the generator's table again."""
    rng, tally = seeded("again"), Tally()
    line = "MOBILE 0661 L.M.6 TOTAL: 10,00 MEMO"
    for _ in range(400):
        level = draw_level(rng)
        compare(page(line), page(" ".join(misread(word, level, rng) or "-" for word in line.split())), tally)
    measured = table(tally)["misread"]
    counted = json.loads(Path("models/training/generator/core/misreadings.json").read_text(encoding="utf-8"))["misread"]
    for char in "M6L":
        assert measured[char][0] == pytest.approx(counted[char][0], rel=0.6)
        assert max(measured[char][1], key=measured[char][1].get) in list(counted[char][1])[:3]


def test_single_digits_and_spaces_beside_marks_are_lost_most() -> None:
    assert lost_share("1") > 10 * lost_share("1000")
    assert merged_share("Total:", "12") > 10 * merged_share("Total", "12")
    assert split_place("Total", 0.0, seeded("never")) is None
