"""What several examples say together."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

from serve_app.domain.memory import LAYOUT, FieldExample, Keys, StoredExample, ValuePosition
from serve_app.extraction.memory.placement import alike

V = TypeVar("V", bound=Hashable)

NEEDED = 2
"""One confirmation is an anecdote."""
# An account number may be a factor's, which collects for many vendors: it needs company.
_KEY_WEIGHTS = {"vat": 2, "name": 2, "domain": 2, "iban": 1, "layout": 0}
_SAME_LAYOUT = 2
"""Of ten keys, so many in common make two layouts the same: nine in ten times where seven in ten pairs of words are
on both pages, and in one of thirty where it is three in ten."""


def shares_vendor(taught: Keys, own: Keys) -> bool:
    """Whether what has these keys is of the vendor of a document with those."""
    return sum(_KEY_WEIGHTS[key.partition(":")[0]] for key in set(own).intersection(taught)) >= NEEDED


def shares_layout(taught: Keys, own: Keys) -> bool:
    """Whether their layout is the same, whoever the vendor is."""
    return sum(key.startswith(LAYOUT) for key in set(own).intersection(taught)) >= _SAME_LAYOUT


def of_this_vendor(stored: Sequence[StoredExample], keys: Keys) -> list[StoredExample]:
    """Those that are of the vendor of a document with these keys."""
    return [each for each in stored if shares_vendor(each.example.keys, keys)]


def of_this_layout(stored: Sequence[StoredExample], keys: Keys) -> list[StoredExample]:
    """Those whose layout is that of a document with these keys, whoever the vendor is."""
    return [each for each in stored if shares_layout(each.example.keys, keys)]


def agreed(values: Iterable[V | None]) -> V | None:
    """The value of at least two examples, and of more than half of those that have one."""
    counts = Counter(value for value in values if value is not None)
    if not counts:
        return None
    (value, count), *_ = counts.most_common(1)
    return value if count >= NEEDED and 2 * count > counts.total() else None


def supporters(stored: Sequence[StoredExample], field: str, seen: ValuePosition) -> list[StoredExample]:
    """The examples in which the field's value stood as this one does, if they are at least two and more than half."""
    right = _with(stored, field, lambda example: example.right)
    found = [each for each, position in right if alike(position, seen)]
    return found if len(found) >= NEEDED and 2 * len(found) > len(right) else []


def is_mistaken(stored: Sequence[StoredExample], field: str, seen: ValuePosition) -> bool:
    """Whether people have corrected at least two values that stood as this one does, and confirmed fewer."""
    wrong = sum(alike(position, seen) for _, position in _with(stored, field, lambda example: example.wrong))
    right = sum(alike(position, seen) for _, position in _with(stored, field, lambda example: example.right))
    return wrong >= NEEDED and wrong > right


def _with(
    stored: Sequence[StoredExample], field: str, of: Callable[[FieldExample], ValuePosition | None]
) -> list[tuple[StoredExample, ValuePosition]]:
    nothing = FieldExample()
    pairs = ((each, of(each.example.fields.get(field, nothing))) for each in stored)
    return [(each, position) for each, position in pairs if position is not None]
