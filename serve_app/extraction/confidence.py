"""How far a value can be trusted, as a level and as a probability."""

import math
from dataclasses import dataclass

from serve_app.domain.invoice import Confidence

# One model alone this sure of a value is strong evidence.
STRONG = 0.9


@dataclass(frozen=True, slots=True)
class Support:
    """What speaks for a value: whether both models give it, whether the arithmetic that involves it checks out, and the
    mean probability (0 to 1) that the models give it."""

    models_agree: bool
    adds_up: bool
    score: float


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
    """`high` only when two models agree and the arithmetic checks out; `mid` for one of both or strong evidence."""
    if support.models_agree and support.adds_up:
        return Confidence.HIGH
    if support.models_agree or support.adds_up or support.score >= STRONG:
        return Confidence.MID
    return Confidence.LOW


def features(support: Support) -> tuple[float, float, float, float]:
    """The inputs of the logistic model, in the order of `Calibration`'s coefficients."""
    score = min(max(support.score, 0.001), 0.999)
    return 1.0, math.log(score / (1 - score)), float(support.models_agree), float(support.adds_up)


def probability(support: Support, calibration: Calibration) -> float:
    """The chance, 0 to 1, that the value is right."""
    weights = (calibration.intercept, calibration.score, calibration.agreement, calibration.arithmetic)
    logit = sum(weight * value for weight, value in zip(weights, features(support), strict=True))
    return 1 / (1 + math.exp(-logit))
