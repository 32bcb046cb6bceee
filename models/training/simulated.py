"""Readings as imperfect models would give them, made from the true labels of generated documents: thousands of files
in minutes, and models that see less on unknown layouts."""

from random import Random

import numpy as np

from models.training.batches import Batch
from serve_app.domain.labels import OUTSIDE, TAGS, Label
from serve_app.domain.reading import PageReading, Reading

_INDEX = {tag: column for column, tag in enumerate(TAGS)}
_SURE = 0.97
# How often a label is seen faintly on all pages of a document, and on a single page.
_FAINT_DOCUMENT, _FAINT_PAGE = 0.14, 0.06
# How often a number of another kind passes for the invoice's, and a buyer for the seller.
_CONFUSED = {Label.OTHER_NUMBER: (Label.INVOICE_NUMBER, 0.12), Label.BUYER: (Label.SELLER, 0.07)}
_CONFUSED |= {Label.OTHER_DATE: (Label.ISSUE_DATE, 0.1)}


def simulated_reading(batch: Batch, rng: Random) -> Reading:
    """The reading of a batch with `tags` and `origins`."""
    views: dict[int, dict[Label, float]] = {}
    pages = []
    for tags, origin in zip(batch.tags, batch.origins, strict=True):
        view = views.setdefault(origin, _view(rng, _FAINT_DOCUMENT))
        page_view = _view(rng, _FAINT_PAGE)
        strengths = {label: min(view[label], page_view[label]) for label in Label}
        pages.append(PageReading(_scores(tags, strengths, _confusions(rng))))
    return Reading("simulated", TAGS, tuple(pages))


def _view(rng: Random, faint: float) -> dict[Label, float]:
    """How strongly each label is seen."""
    return {label: rng.uniform(0.02, 0.7) if rng.random() < faint else _SURE for label in Label}


def _confusions(rng: Random) -> dict[Label, tuple[Label, float]]:
    return {
        label: (taken_for, rng.uniform(0.2, 0.9))
        for label, (taken_for, share) in _CONFUSED.items()
        if rng.random() < share
    }


def _scores(
    tags: tuple[str, ...], strengths: dict[Label, float], confused: dict[Label, tuple[Label, float]]
) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    scores = np.zeros((len(tags), len(TAGS)), dtype=np.float32)
    for word, tag in enumerate(tags):
        if tag == OUTSIDE:
            scores[word, _INDEX[OUTSIDE]] = 1.0
            continue
        label = Label(tag[2:])
        taken_for, share = confused.get(label, (label, 0.0))
        strength = strengths[label]
        scores[word, _INDEX[tag]] += strength * (1 - share)
        scores[word, _INDEX[f"{tag[:2]}{taken_for}"]] += strength * share
        scores[word, _INDEX[OUTSIDE]] = 1 - strength
    return scores
