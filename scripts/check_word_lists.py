"""Refuse regular expressions that list words of languages.

Such words belong in `serve_app/extraction/knowledge/languages/`, so that a file is all that a language takes; a pattern
names their list (`WordPattern`). What is no language's may be listed: `ALLOWED` says what it is.

Usage: python scripts/check_word_lists.py FOLDER...
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ALLOWED = {
    "JJ|JJ": "places of day, month and year in a format",
    "PR|PA": "formats of electronic invoices of Italy",
    "com|net": "top-level domains",
    "iv|vi": "Roman numerals",
    "pdf|xml": "endings of files",
    "令和|平成": "eras",
}
_LIST_NAME = re.compile(r"\{[^{}]*\}")
_ALTERNATIVES = re.compile(r"(?<![\\\w<])([^\W\d_]{2,})[)?]*\|[(?:]*([^\W\d_]{2,})")


def main(folders: list[str]) -> int:
    """Check every Python file below `folders`; the exit code."""
    is_refused = False
    for path in sorted(path for folder in folders for path in Path(folder).rglob("*.py")):
        for line, words in listed_words(path.read_text(encoding="utf-8")):
            is_refused = True
            print(f"{path}:{line}: {words}: words of languages belong in extraction/knowledge/languages/")
    return int(is_refused)


def listed_words(code: str) -> Iterator[tuple[int, str]]:
    """The line and the first two words of each text that lists alternatives, docstrings aside."""
    tree = ast.parse(code)
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            found = _ALTERNATIVES.search(_LIST_NAME.sub("", node.value))
            if found and (words := f"{found[1]}|{found[2]}") not in ALLOWED:
                yield node.lineno, words


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
