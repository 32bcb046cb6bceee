"""How far a value can be trusted, as a level and as a probability."""

import math
from dataclasses import dataclass

from serve_app.domain.invoice import Confidence

# One model alone this sure of a value is strong evidence.
STRONG = 0.9
# A value read from a picture with less confidence than this may be another one on the paper.
LEGIBLE = 0.5


@dataclass(frozen=True, slots=True)
class Support:
    """What speaks for a value: whether both models give it, whether the arithmetic that involves it checks out, and the
    mean probability (0 to 1) that the models give it.

    `legibility` is how surely (0 to 1) the value's words were read from a picture: 1 for a text layer, and for a value
    that the arithmetic proves. `einvoice_agrees`: whether the electronic invoice in the file gives it, too; None where
    it says nothing.
    """

    models_agree: bool
    adds_up: bool
    score: float
    legibility: float = 1.0
    einvoice_agrees: bool | None = None


@dataclass(frozen=True, slots=True)
class Calibration:
    """Coefficients of the logistic model of a value being right (Platt, 1999), in natural-log units.

    The defaults were fitted by `python -m models.evaluation.calibrate` on 2026-11-21, on 367 header values (311 of them
    right) read from 65 real PDFs that had no part in training, with the bundled weights of that day.
    """

    intercept: float = 0.378
    score: float = 0.464
    agreement: float = 1.96
    arithmetic: float = 0.013


def level(support: Support) -> Confidence:
    """`high` only when two models agree and the arithmetic checks out; `mid` for one of both or strong evidence.

    Nothing that was hard to read is `high`. An electronic invoice that agrees is strong evidence; one that contradicts
    changes nothing: what the page says wins.
    """
    if support.models_agree and support.adds_up and support.legibility >= LEGIBLE:
        return Confidence.HIGH
    strong = support.score >= STRONG or support.einvoice_agrees is True
    return Confidence.MID if support.models_agree or support.adds_up or strong else Confidence.LOW


def features(support: Support) -> tuple[float, float, float, float]:
    """The inputs of the logistic model, in the order of `Calibration`'s coefficients."""
    score = min(max(support.score, 0.001), 0.999)
    return 1.0, math.log(score / (1 - score)), float(support.models_agree), float(support.adds_up)


def probability(support: Support, calibration: Calibration) -> float:
    """The chance, 0 to 1, that the value is right: that the models point at it, and that it was read right.

    An electronic invoice that agrees counts as much as a second model that does. It cannot be fitted like the rest: on
    the documents there are, its values are the truth itself.
    """
    weights = (calibration.intercept, calibration.score, calibration.agreement, calibration.arithmetic)
    logit = sum(weight * value for weight, value in zip(weights, features(support), strict=True))
    if support.einvoice_agrees:
        logit += calibration.agreement
    return support.legibility / (1 + math.exp(-logit))
