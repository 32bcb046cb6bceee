"""What several lessons say together."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

from serve_app.domain.memory import LAYOUT, FieldLesson, Keys, Lesson, Sighting, Taught
from serve_app.extraction.memory.placement import alike

V = TypeVar("V", bound=Hashable)

NEEDED = 2
"""One confirmation is an anecdote."""
# An account number may be a factor's, which collects for many vendors: it needs company.
_KEY_WEIGHTS = {"vat": 2, "name": 2, "domain": 2, "iban": 1, "layout": 0}
_SAME_LAYOUT = 2
"""Of ten keys, so many in common make two layouts the same: nine in ten times where seven in ten pairs of words are
on both pages, and in one of thirty where it is three in ten."""


def of_this_vendor(taught: Sequence[Taught], keys: Keys) -> list[Taught]:
    """Those that are of the vendor of a document with these keys."""
    own = frozenset(keys)

    def likeness(lesson: Lesson) -> int:
        return sum(_KEY_WEIGHTS[key.partition(":")[0]] for key in own.intersection(lesson.keys))

    return [each for each in taught if likeness(each.lesson) >= NEEDED]


def of_this_layout(taught: Sequence[Taught], keys: Keys) -> list[Taught]:
    """Those whose layout is that of a document with these keys, whoever the vendor is."""
    own = frozenset(key for key in keys if key.startswith(LAYOUT))
    return [each for each in taught if len(own.intersection(each.lesson.keys)) >= _SAME_LAYOUT]


def agreed(values: Iterable[V | None]) -> V | None:
    """The value of at least two lessons, and of more than half of those that have one."""
    counts = Counter(value for value in values if value is not None)
    if not counts:
        return None
    (value, count), *_ = counts.most_common(1)
    return value if count >= NEEDED and 2 * count > counts.total() else None


def supporters(taught: Sequence[Taught], field: str, seen: Sighting) -> list[Taught]:
    """The lessons in which the field's value stood as this one does, if they are at least two and more than half."""
    right = _with(taught, field, lambda lesson: lesson.right)
    found = [each for each, sighting in right if alike(sighting, seen)]
    return found if len(found) >= NEEDED and 2 * len(found) > len(right) else []


def is_mistaken(taught: Sequence[Taught], field: str, seen: Sighting) -> bool:
    """Whether people have corrected at least two values that stood as this one does, and confirmed fewer."""
    wrong = sum(alike(sighting, seen) for _, sighting in _with(taught, field, lambda lesson: lesson.wrong))
    right = sum(alike(sighting, seen) for _, sighting in _with(taught, field, lambda lesson: lesson.right))
    return wrong >= NEEDED and wrong > right


def _with(
    taught: Sequence[Taught], field: str, of: Callable[[FieldLesson], Sighting | None]
) -> list[tuple[Taught, Sighting]]:
    nothing = FieldLesson()
    pairs = ((each, of(each.lesson.fields.get(field, nothing))) for each in taught)
    return [(each, sighting) for each, sighting in pairs if sighting is not None]
