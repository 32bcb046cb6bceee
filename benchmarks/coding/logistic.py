"""A plain logistic regression over vendor, buyer and words, to compare the suggestions with."""

import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from serve_app.coding.features import features_of
from serve_app.domain.coding import CodingExample

_BUCKETS = 1 << 14
_RATE = 0.5
_PASSES = 3
Samples = list[tuple[np.ndarray[Any, Any], str, str]]


class Logistic:
    """One softmax for each dimension, with AdaGrad; features are hashed. Each decision is learned once when it is made,
    and all newest decisions are passed through again at the end of a month."""

    def __init__(self) -> None:
        self._of_dimension: dict[str, _Softmax] = {}

    def right(self, example: CodingExample) -> int:
        """How many of the decided codes it would have suggested."""
        return sum(self._softmax(key).predict(at) == answer for at, key, answer in _samples(example))

    def learn(self, examples: Sequence[CodingExample], passes: int = 1) -> None:
        """The oldest first."""
        for _ in range(passes):
            for example in examples:
                for at, key, answer in _samples(example):
                    self._softmax(key).learn(at, answer)

    def train(self, newest: Sequence[CodingExample]) -> None:
        """Begin anew with these decisions, the newest of which is first."""
        self._of_dimension.clear()
        self.learn(newest[::-1], _PASSES)

    def _softmax(self, key: str) -> "_Softmax":
        return self._of_dimension.setdefault(key, _Softmax())


class _Softmax:
    def __init__(self) -> None:
        self._answers: list[str] = []
        self._weights = np.zeros((0, _BUCKETS), np.float32)
        self._squares = np.zeros((0, _BUCKETS), np.float32)

    def predict(self, at: np.ndarray[Any, Any]) -> str | None:
        if not self._answers:
            return None
        return self._answers[int(self._weights[:, at].sum(1).argmax())]

    def learn(self, at: np.ndarray[Any, Any], answer: str) -> None:
        if answer not in self._answers:
            self._answers.append(answer)
            row = np.zeros((1, _BUCKETS), np.float32)
            self._weights, self._squares = np.vstack([self._weights, row]), np.vstack([self._squares, row + 1e-6])
        scores = self._weights[:, at].sum(1)
        gradient = np.exp(scores - scores.max())
        gradient /= gradient.sum()
        gradient[self._answers.index(answer)] -= 1
        self._squares[:, at] += gradient[:, None] ** 2
        self._weights[:, at] -= _RATE * gradient[:, None] / np.sqrt(self._squares[:, at])


def _samples(example: CodingExample) -> Samples:
    """For each line and dimension its features and the code of all its parts, else the parts."""
    found: Samples = []
    for line in example.lines:
        at = _places(example, line.text)
        for key in line.parts[0].codes:
            parts = [(part.share, part.codes.get(key, "")) for part in line.parts]
            codes = {code for _, code in parts}
            found.append((at, key, codes.pop() if len(codes) == 1 else str(parts)))
    return found


def _places(example: CodingExample, text: str) -> np.ndarray[Any, Any]:
    features = features_of(example.vendor, example.entity, text)
    vendor, entity = f"v {features.vendor}", f"e {features.entity}"
    names = ["", vendor, entity, f"{vendor} {entity}", f"{vendor} t {features.text}"]
    names += [name for word in features.words for name in (f"w {word}", f"{vendor} w {word}")]
    return np.array(sorted({zlib.crc32(name.encode()) % _BUCKETS for name in names}))
