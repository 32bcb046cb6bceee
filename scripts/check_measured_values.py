"""Refuse names and numbers of the documents that accuracy is measured with, in code, data and tests: a rule or a test
written for such a document must not show in its figures.

Usage: python scripts/check_measured_values.py TRUTHS FOLDER...

TRUTHS is a folder with true values as JSON, such as benchmarks/handwritten/truth.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

MIN_LENGTH = 7
_CHECKED = (".py", ".yaml")
_NUMBER_OR_DATE = re.compile(r"[\d.,/ -]*")
_TOKEN = re.compile(r"\w+")


def main() -> None:
    """Print each value that is found with its place; exit status 1 if there is one."""
    truths, *folders = map(Path, sys.argv[1:])
    values = measured_values(truths)
    found = [line for folder in folders for path in checked_files(folder) for line in repeated(path, values)]
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(bool(found))


def checked_files(folder: Path) -> Iterator[Path]:
    """Code, and what code knows as data."""
    return (path for path in sorted(folder.rglob("*")) if path.suffix in _CHECKED)


def measured_values(truths: Path) -> dict[str, str]:
    """What only one document can say, by its value: the name of the truth. These are names of several words, and
    numbers with letters in them; words of the language, amounts and dates stand in other documents, too."""
    return {
        value: path.name
        for path in sorted(truths.rglob("*.json"))
        for value in _texts(json.loads(path.read_text(encoding="utf-8")))
        if _is_distinctive(value)
    }


def repeated(path: Path, values: Mapping[str, str]) -> Iterator[str]:
    """What to say of each of the values in a module."""
    text = path.read_text(encoding="utf-8")
    tokens = set(_TOKEN.findall(text))
    for value, truth in values.items():
        if tokens.issuperset(_TOKEN.findall(value)) and (place := _place_of(value, text)) is not None:
            line = text.count("\n", 0, place) + 1
            yield f"{path}:{line}: {value} is in the measured document {truth}: write an invented value"


def _texts(truth: Any) -> Iterator[str]:
    """The names and numbers of a truth, wherever they stand; not the descriptions of rows."""
    for name, value in truth.items() if isinstance(truth, dict) else enumerate(truth):
        if isinstance(value, dict | list) and name != "line_items":
            yield from _texts(value)
        elif isinstance(value, str):
            yield value.strip()


def _is_distinctive(value: str) -> bool:
    if len(value) < MIN_LENGTH or _NUMBER_OR_DATE.fullmatch(value):
        return False
    return any(character.isdigit() for character in value) or len(value.split()) > 1


def _place_of(value: str, text: str) -> int | None:
    found = re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text)
    return None if found is None else found.start()


if __name__ == "__main__":
    main()
