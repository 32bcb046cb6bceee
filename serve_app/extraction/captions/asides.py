"""Brackets with a number in them, which say something of their own: "Total (incl. 18.04 VAT) 113.00"."""

from collections.abc import Iterator, Sequence

from serve_app.domain.document import Word

_OPENING, _CLOSING = "(（", ")）"


def asides(line: Sequence[Word]) -> list[range]:
    """The positions of the words of each aside, from the one that opens its bracket to the one that closes it."""
    return [aside for aside in _brackets(line) if any(any(map(str.isdigit, line[at].text)) for at in aside)]


def _brackets(line: Sequence[Word]) -> Iterator[range]:
    """The outermost brackets that begin with a word and end with one."""
    first: int | None = None
    depth = 0
    for position, word in enumerate(line):
        if first is None and word.text[:1] in _OPENING:
            first = position
        if first is not None:
            depth += _count(word.text, _OPENING) - _count(word.text, _CLOSING)
            if depth <= 0:
                yield range(first, position + 1)
                first, depth = None, 0


def _count(text: str, marks: str) -> int:
    return sum(text.count(mark) for mark in marks)
