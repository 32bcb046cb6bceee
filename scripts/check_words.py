"""Refuse names in Python code with words that only this project would use. CONTRIBUTING.md says why.

Usage: python scripts/check_words.py FOLDER...

Checked are the names of functions, classes, parameters, variables, attributes that are set, modules and packages.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

WORDS = {
    "afresh": "again",
    "anew": "again",
    "blow": "kill or fault",
    "blows": "kills or faults",
    "chore": "follow-up work or maintenance",
    "chores": "follow-up work or maintenance",
    "deed": "action",
    "deeds": "actions",
    "desk": "screen",
    "doomed": "pending deletion",
    "hear": "collect",
    "heard": "collected",
    "inkling": "support",
    "judge": "decide, assess or authenticate",
    "judging": "deciding or assessing",
    "lesson": "example or task",
    "lessons": "examples or tasks",
    "mend": "repair",
    "mended": "repaired",
    "mending": "repair",
    "noted": "recorded",
    "patience": "timeout",
    "prey": "target",
    "seat": "slot",
    "seats": "slots",
    "sight": "positions",
    "sighting": "position",
    "stranger": "foreign, or what it is",
    "strangers": "foreign, or what they are",
    "sureness": "confidence or certainty",
    "tell": "log, notify, publish or explain",
    "telling": "logging, reporting or distinctive",
    "tells": "shows",
    "ticket": "permit",
    "tickets": "permits",
    "told": "logged, notified, published or explained",
    "trouble": "error or outage",
    "twin": "duplicate",
    "twins": "duplicates",
    "untold": "not notified",
    "waker": "notifier",
    "wakers": "notifiers",
    "witness": "evidence",
    "witnesses": "evidence",
}
"""Each with the field's word for it."""
_OF_DOCUMENTS = {"desk", "seat", "seats", "ticket", "tickets"}
"""Words that also stand in invoices: packages that draw or read these may use them."""
_DOCUMENTS = {"extraction", "generator"}
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def main() -> None:
    """Print each name that is refused with its place; exit status 1 if there is one."""
    found = [line for folder in sys.argv[1:] for path in sorted(Path(folder).rglob("*.py")) for line in refused(path)]
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(bool(found))


def refused(path: Path) -> Iterator[str]:
    """What to say of each refused name in a file, the names of the file and its folder among them."""
    words = WORDS.keys() - (_OF_DOCUMENTS if _DOCUMENTS & set(path.parts) else set())
    named = [(1, part) for part in (path.parent.name, path.stem)]
    for line, name in sorted({*named, *_names(ast.parse(path.read_text(encoding="utf-8")))}):
        for word in sorted(words & {part.lower() for part in _PART.findall(name)}):
            yield f"{path}:{line}: {name}: say {WORDS[word]} instead of {word}"


def _names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every name that the code gives, with its line."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.lineno, node.name
            case ast.arg():
                yield node.lineno, node.arg
            case ast.Name(ctx=ast.Store()):
                yield node.lineno, node.id
            case ast.Attribute(ctx=ast.Store()):
                yield node.lineno, node.attr


if __name__ == "__main__":
    main()
