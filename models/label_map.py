"""Map a model's own classes to the tags of the service."""

import re
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from models.config import ModelError, listed
from serve_app.domain.labels import OUTSIDE, TAGS, Label

Scores = npt.NDArray[np.float32]

# IOB2 and relatives (BIOES, BILOU): prefixes that begin and continue a span.
_PREFIX = re.compile(r"^([BIESLUM])-(.+)$")
_BEGINS = frozenset("BSU")
_COLUMN = {tag: index for index, tag in enumerate(TAGS)}


class LabelMap:
    """Probabilities of a model's classes as probabilities of `TAGS`.

    A class is looked up in `mapping` as it is and then without its prefix; classes with the service's own names need no
    entry. Raise ModelError for an entry that matches no class, for a class without an entry if `mapping` is None, and
    if no class at all maps to a label. Classes missing from `mapping` map to nothing.
    """

    def __init__(self, classes: Sequence[str], mapping: Mapping[str, str | None] | None = None) -> None:
        self._is_identity = tuple(classes) == TAGS
        _check_entries(classes, mapping or {})
        if mapping is None:
            _check_classes(classes)
        tags = [_tag_of(name, mapping) for name in classes]
        if all(tag == OUTSIDE for tag, _ in tags):
            raise ModelError(f"none of the model's classes maps to a label: {listed(list(classes))}")
        self._matrix = np.zeros((len(classes), len(TAGS)), dtype=np.float32)
        for row, (tag, _) in enumerate(tags):
            self._matrix[row, _COLUMN[tag]] = 1
        # Labels of classes that do not tell the first word of a span from the others.
        self._bare = sorted({tag[2:] for tag, is_bare in tags if is_bare})

    def apply(self, scores: Scores) -> Scores:
        """Rows of class probabilities, of words in reading order, as rows of tag probabilities."""
        if self._is_identity:
            return scores
        tagged: Scores = scores @ self._matrix
        if self._bare and len(tagged):
            _mark_beginnings(tagged, self._bare)
        return tagged


def _check_entries(classes: Sequence[str], mapping: Mapping[str, str | None]) -> None:
    known = {*classes, *(_split(name)[1] for name in classes)}
    unknown = sorted(mapping.keys() - known)
    if unknown:
        raise ModelError(f"label_map names {listed(unknown)}, the model's classes are {listed(list(classes))}")


def _check_classes(classes: Sequence[str]) -> None:
    plain = {_split(name)[1] for name in classes if name not in _COLUMN}
    unknown = sorted(plain - Label.__members__.keys())
    if unknown:
        raise ModelError(
            f"the model has classes that the service does not know: {listed(unknown)}; name those that it shall read "
            "in a label_map"
        )


def _tag_of(name: str, mapping: Mapping[str, str | None] | None) -> tuple[str, bool]:
    """The tag that a class maps to, and whether the class leaves open if it begins a span."""
    prefix, plain = _split(name)
    if mapping and name in mapping:
        target = mapping[name]
    elif mapping and plain in mapping:
        target = mapping[plain]
    elif name in _COLUMN:
        return name, False
    elif plain in Label.__members__:
        target = plain
    else:
        target = None
    if target is None or target in _COLUMN:
        return target or OUTSIDE, False
    return f"{'B' if prefix in _BEGINS else 'I'}-{target}", not prefix


def _split(name: str) -> tuple[str, str]:
    """The prefix of a class name ("" if it has none) and the rest."""
    found = _PREFIX.match(name)
    return (found[1], found[2]) if found else ("", name)


def _mark_beginnings(tagged: Scores, labels: Sequence[str]) -> None:
    """A word begins a span if the word before it is more likely to be anything else."""
    before = np.concatenate(([-1], np.argmax(tagged[:-1], axis=1)))
    for label in labels:
        begin, inside = _COLUMN[f"B-{label}"], _COLUMN[f"I-{label}"]
        first = (before != inside) & (before != begin)
        tagged[first, begin] += tagged[first, inside]
        tagged[first, inside] = 0


class Targets:
    """Labels by the keys that a model writes: a path of keys ("total.price") or its last ("price")."""

    def __init__(self, mapping: Mapping[str, str | None]) -> None:
        self._mapping = mapping
        if not any(target and target != OUTSIDE for target in mapping.values()):
            raise ModelError("label_map maps nothing to a label")

    def label(self, keys: Sequence[str]) -> Label | None:
        """The label of a value under these keys; the whole path takes precedence over the last key."""
        for name in (".".join(keys), keys[-1]):
            if name in self._mapping:
                target = self._mapping[name]
                return None if target is None or target == OUTSIDE else Label(_split(target)[1])
        return None
