"""How well a model in training labels documents of layout families that it never saw."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from models.token_model import TokenModel
from models.training.labelled import Labelled
from serve_app.domain.labels import OUTSIDE, UNKNOWN, Label


@dataclass(frozen=True, slots=True)
class Scores:
    """F1 over labelled words: of each label, and of all labels together (micro average)."""

    overall: float
    by_label: dict[Label, float]


def validate(model: TokenModel, samples: Sequence[Labelled]) -> Scores:
    """Word-level F1; a word counts as found if its label is right, whether it begins or continues a span.
    Words with unknown labels do not count."""
    found: Counter[str] = Counter()
    predicted: Counter[str] = Counter()
    expected: Counter[str] = Counter()
    for sample in samples:
        (reading,) = model.read([sample.document])
        for page, tags in zip(reading.pages, sample.tags, strict=True):
            guesses = [_label(reading.tags[index]) for index in np.argmax(page.scores, axis=1)] if len(tags) else []
            known = [index for index, tag in enumerate(tags) if tag != UNKNOWN]
            guesses = [guesses[index] for index in known]
            truth = [_label(tags[index]) for index in known]
            predicted.update(guesses)
            expected.update(truth)
            found.update(guess for guess, label in zip(guesses, truth, strict=True) if guess == label)
    labels = [label for label in Label if expected[label]]
    total = (sum(counter[label] for label in Label) for counter in (found, predicted, expected))
    return Scores(_f1(*total), {label: _f1(found[label], predicted[label], expected[label]) for label in labels})


def _label(tag: str) -> str:
    return tag if tag == OUTSIDE else tag[2:]


def _f1(found: int, predicted: int, expected: int) -> float:
    return 2 * found / (predicted + expected) if predicted + expected else 0.0
