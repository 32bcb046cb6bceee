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
        ("def send(to_stranger: str): ...", "say foreign, or what it is instead of stranger"),
        ("_PATIENCE = 30", "say timeout instead of patience"),
        ("sender.is_told = True", "say logged, notified, published or explained instead of told"),
        ("for twin in found: ...", "say duplicate instead of twin"),
    ],
)
def test_a_name_with_such_a_word_is_refused_with_a_better_one(tmp_path: Path, name: str, advice: str) -> None:
    file = tmp_path / "names.py"
    file.write_text(f"\n{name}\n")
    (line,) = refused(file)
    assert line.startswith(f"{file}:2: ")
    assert line.endswith(advice)


def test_packages_of_documents_may_use_words_that_stand_in_invoices(tmp_path: Path) -> None:
    name = "TICKET_TITLE = 1\n"
    for folder, lines in (("services", 1), ("extraction", 0), ("generator", 0)):
        file = tmp_path / folder / "names.py"
        file.parent.mkdir()
        file.write_text(name)
        assert len([*refused(file)]) == lines


@pytest.mark.parametrize("path", ["retention/doomed.py", "chores/__init__.py"])
def test_modules_and_packages_are_names_too(tmp_path: Path, path: str) -> None:
    file = tmp_path / path
    file.parent.mkdir()
    file.touch()
    (line,) = refused(file)
    assert line.startswith(f"{file}:1: ")


def test_words_that_only_contain_one_are_fine(tmp_path: Path) -> None:
    file = tmp_path / "names.py"
    file.write_text("def recommend(): ...\nintellect = 1\nclass Amendment: ...\n")
    assert [*refused(file)] == []


def test_only_names_that_the_code_gives_are_checked(tmp_path: Path) -> None:
    file = tmp_path / "names.py"
    file.write_text("from other import doomed\nprint(doomed.mend(told=1))\n")
    assert [*refused(file)] == []
