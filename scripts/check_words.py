"""Refuse names of functions and classes with words that only this project would use. CONTRIBUTING.md says why.

Usage: python scripts/check_words.py FOLDER...
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

WORDS = {
    "doomed": "pending deletion",
    "hear": "collect",
    "heard": "collected",
    "inkling": "support",
    "mend": "repair",
    "mended": "repaired",
    "stranger": "foreign, or what it is",
    "strangers": "foreign, or what they are",
    "tell": "log, notify, publish or explain",
    "tells": "states",
    "told": "logged, notified, published or explained",
    "witness": "evidence",
    "witnesses": "evidence",
}
"""Each with the field's word for it."""
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def main() -> None:
    """Print each name that is refused with its place; exit status 1 if there is one."""
    found = [line for folder in sys.argv[1:] for path in sorted(Path(folder).rglob("*.py")) for line in refused(path)]
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(bool(found))


def refused(path: Path) -> Iterator[str]:
    """What to say of each refused name in a file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for word in WORDS.keys() & {part.lower() for part in _PART.findall(node.name)}:
                yield f"{path}:{node.lineno}: {node.name}: say {WORDS[word]} instead of {word}"


if __name__ == "__main__":
    main()
