"""Words of this project alone do not come back into names."""

from pathlib import Path

import pytest

from scripts.check_words import refused


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("def tell_sender(): ...", "say log, notify, publish or explain instead of tell"),
        ("async def _told(): ...", "say logged, notified, published or explained instead of told"),
        ("class MendedLane: ...", "say repaired instead of mended"),
    ],
)
def test_a_name_with_such_a_word_is_refused_with_a_better_one(tmp_path: Path, name: str, advice: str) -> None:
    file = tmp_path / "names.py"
    file.write_text(f"\n{name}\n")
    (line,) = refused(file)
    assert line.startswith(f"{file}:2: ")
    assert line.endswith(advice)


def test_words_that_only_contain_one_are_fine(tmp_path: Path) -> None:
    file = tmp_path / "names.py"
    file.write_text("def recommend(): ...\ndef intellect(): ...\nclass Amendment: ...\n")
    assert [*refused(file)] == []
