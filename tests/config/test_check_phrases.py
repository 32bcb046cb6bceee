"""Phrases that read as if translated do not come back into texts for people."""

from pathlib import Path

import pytest

from scripts.check_phrases import refused_phrases


@pytest.mark.parametrize(
    ("name", "text", "advice"),
    [
        ("page.md", "# Mail\n\nThe sender is told.\n", "3: say show, notify or explain instead of told"),
        ("page.html", "<h1>\nIt is deleted for good</h1>", "2: say permanently, or forever instead of for good"),
        (
            "module.py",
            'TEXT = (\n    "one message, "\n    "of which the rest"\n)\n',
            "2: say two sentences instead of of which",
        ),
    ],
)
def test_a_text_with_such_a_phrase_is_refused_with_a_better_one(
    tmp_path: Path, name: str, text: str, advice: str
) -> None:
    file = tmp_path / name
    file.write_text(text)
    assert [*refused_phrases(file)] == [f"{file}:{advice}"]


def test_code_docstrings_and_longer_words_are_no_such_phrase(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("`tell` it\n```\ntold\n```\nretold, of its own kind, <b title='for good'>forever</b>\n")
    module = tmp_path / "module.py"
    module.write_text('"""What is told of it."""\nKEY = "told"\n')
    assert [*refused_phrases(page), *refused_phrases(module)] == []
