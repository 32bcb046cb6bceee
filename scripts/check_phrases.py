"""Refuse phrases in texts for people that read as if translated: pages, templates, messages. CONTRIBUTING.md says why.

Usage: python scripts/check_phrases.py FOLDER... [PAGE.md...]
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

PHRASES = {
    r"all the same": "still",
    r"anew": "again",
    r"as many as|so many": "a number, or enough",
    r"becomes? of|became of": "outcome, or result",
    r"but for": "except",
    r"for good": "permanently, or forever",
    r"(?:is|are) to be": "must be, or an imperative",
    r"of (?:which|whom)": "two sentences",
    r"of (?:its|their|one's) own(?=\s*[.,;:)])": "own, or separate",
    r"takes? no more": "is disabled, or refuses",
    r"telling|tells?|told": "show, notify or explain",
}
"""What texts for people avoid: a regular expression, with the better words."""
_PHRASE = re.compile("|".join(rf"\b(?P<p{n}>{phrase})\b" for n, phrase in enumerate(PHRASES)), re.IGNORECASE)
_CODE = re.compile(r"```.*?```|`[^`\n]*`|\{[{%#].*?[}%#]\}|<[^<>]*>", re.DOTALL)
_HISTORY = ("docs/adr", "docs/experiments")
_DOCUMENTS = {"extraction", "training"}
"""Packages with words of documents, not of this project."""
_TEXTS = (".html", ".md", ".txt")


def main() -> None:
    """Print each phrase that is refused with its place; exit status 1 if there is one."""
    found = [line for name in sys.argv[1:] for path in _files(Path(name)) for line in refused_phrases(path)]
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(bool(found))


def refused_phrases(path: Path) -> Iterator[str]:
    """What to say of each refused phrase in a page, a template or the messages of a module."""
    for line, text in _messages(path) if path.suffix == ".py" else [(1, path.read_text(encoding="utf-8"))]:
        prose = _CODE.sub(lambda code: "\n" * code.group().count("\n"), text)
        for match in _PHRASE.finditer(prose):
            advice = [*PHRASES.values()][int((match.lastgroup or "p0")[1:])]
            yield f"{path}:{line + prose.count(chr(10), 0, match.start())}: say {advice} instead of {match.group()}"


def _messages(path: Path) -> Iterator[tuple[int, str]]:
    """The texts in a module that are no docstrings and have several words, with their lines."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in docstrings)
    for node in texts:
        if isinstance(node.value, str) and " " in node.value.strip():
            yield node.lineno, node.value.replace("\n", " ")


def _files(path: Path) -> Iterator[Path]:
    """The modules and texts below a folder, or one page, without history and documents."""
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    for file in files:
        if file.suffix in (*_TEXTS, ".py") and not _is_left_out(file):
            yield file


def _is_left_out(path: Path) -> bool:
    return path.as_posix().startswith(_HISTORY) or bool(_DOCUMENTS & set(path.parts))


if __name__ == "__main__":
    main()
