"""The self-test that a model must pass before it may serve."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from models.config import ModelError
from models.token_model import TokenModel
from models.trial_pages import page_of, white_picture
from serve_app.domain.document import Document
from serve_app.domain.labels import TAGS
from serve_app.domain.reading import Reading

_INVOICE = ["Acme", "Ltd.", "Invoice", "No.", "4711", "Date", "03/11/2026", "Total", "EUR", "1,190.00", "VAT", "19%"]
# Combining marks, no letters at all, right to left, outside the BMP, and a word of a thousand letters.
_ODD = ["\u0301", "\u200b", "№", "שלום", "合計", "🧾", "\ufffd", "x" * 1000, "§§§", "1e999"]
# Words of a page longer than any model's window; two windows are enough, since every start waits for them.
_LONG = 240
_TOLERANCE = 1e-3
# What a page's scores may differ by with the batch it is in, as a multiple of the rounding of the numbers: the worst of
# 38,000 words on an H100 was ten times it, in float16 and in bfloat16 (ADR 0106).
_ROUNDINGS = 16


def self_test(model: TokenModel, rounding: float = 0.0) -> None:
    """Let the model read pages of every kind; raise ModelError if its output is not a valid reading, or depends on what
    else is read with it. `rounding` is the relative error of the numbers that the model computes with."""
    pages = (page_of(_INVOICE), page_of([]), page_of(_ODD), page_of([f"{n}.00" for n in range(_LONG)]))
    document = Document(tuple(replace(page, number=number) for number, page in enumerate(pages, 1)))
    if model.needs_pictures:
        document = replace(document, pages=tuple(replace(page, picture=white_picture()) for page in document.pages))
    short = document.section(1, 1)
    try:
        first, beside = model.read([document, short])
        (alone,) = model.read([short])
        empty = model.read([])
    except ModelError:
        raise
    except Exception as error:
        raise ModelError(f"the model failed its self-test: {type(error).__name__}: {error}") from error
    is_same = _same(beside, alone, max(_TOLERANCE, _ROUNDINGS * rounding))
    faults = [*_faults(first, document), *([] if is_same else ["two answers to one page"])]
    if empty:
        faults.append("a reading for no document")
    if faults:
        raise ModelError(f"the model failed its self-test: {'; '.join(faults)}")


def _faults(reading: Reading, document: Document) -> Iterator[str]:
    if reading.tags != TAGS:
        yield "labels that the service does not know"
    try:
        reading.check_against(document)
    except ValueError as error:
        yield str(error)
    for page, scores in zip(document.pages, (page.scores for page in reading.pages), strict=False):
        if scores.ndim != 2 or scores.shape[1] != len(reading.tags):
            yield f"page {page.number}: scores of shape {scores.shape}"
        elif not np.isfinite(scores).all():
            yield f"page {page.number}: scores that are not numbers"
        elif not _are_probabilities(scores):
            yield f"page {page.number}: scores that are not probabilities"


def _are_probabilities(scores: "np.typing.NDArray[np.float32]") -> bool:
    return bool((scores >= -_TOLERANCE).all() and (np.abs(scores.sum(axis=1) - 1) <= _TOLERANCE).all())


def _same(one: Reading, other: Reading, tolerance: float) -> bool:
    pairs = zip(one.pages, other.pages, strict=True)
    return all(np.allclose(a.scores, b.scores, atol=tolerance) for a, b in pairs)
