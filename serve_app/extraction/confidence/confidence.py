"""How far a value can be trusted, as a probability and as a level."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from serve_app.domain.invoice import Confidence
from serve_app.extraction.confidence.calibration import NEVER, FieldCalibration, Logistic

# Below this OCR confidence, a value may read differently on the paper.
LEGIBLE = 0.5
# Scores are kept this far from 0 and 1: no model has reason to be surer.
_SURE = 0.02
_SCALE = math.log((1 - _SURE) / _SURE)
# The evidence of both models together is weighed by the ranking, which may be surer: it was fitted to be.
_SURE_TOGETHER = 0.003


@dataclass(frozen=True, slots=True)
class Support:
    """The evidence for and against a value.

    `extractor` and `verifier` are each model's own score (0 to 1) for the value, 0 if the model by itself gives another
    one; `together` is its score by the evidence of both; `rival` is the score of the best other value. `legibility` is
    how surely (0 to 1) the value's words were read from a picture: 1 for a text layer, and for a value that the
    arithmetic proves. `is_plausible`: it breaks no rule of what invoices look like. `is_foreign`: its pages look like
    those of another kind of document. `data_agrees`: whether the electronic invoice in the file or a code on a page
    has the same value; None if they have none.
    """

    models_agree: bool
    adds_up: bool
    extractor: float
    verifier: float
    together: float = 0.5
    rival: float = 0.0
    legibility: float = 1.0
    is_plausible: bool = True
    is_foreign: bool = False
    data_agrees: bool | None = None


def features(support: Support) -> tuple[float, ...]:
    """The inputs of the logistic model in the order of `calibration.FEATURES`: higher values are evidence for the
    value.

    An electronic invoice or a code that agrees counts as much as a second model that does. Its weight cannot be fitted:
    in the available documents, its values are the truth itself.
    """
    return (
        _logit(support.extractor),
        _logit(support.verifier),
        _logit(support.together, _SURE_TOGETHER),
        -support.rival,
        float(support.models_agree) + float(support.data_agrees is True),
        float(support.adds_up),
        _logit(support.legibility) - 1,
        float(support.is_plausible) - 1,
        -float(support.is_foreign),
    )


def probability(support: Support, calibration: FieldCalibration) -> float:
    """The probability, 0 to 1, that the value is right: that it is the one meant, and was read correctly.

    Values that fulfil the conditions of `high` have a model of their own, in which the conditions count together, and
    are never less likely than without them.
    """
    inputs = features(support)
    chance = _chance(calibration, inputs)
    if calibration.proved is None or not may_be_high(support):
        return chance
    return max(chance, _chance(calibration.proved, inputs))


def _chance(model: Logistic, inputs: Sequence[float]) -> float:
    logit = model.intercept + sum(weight * value for weight, value in zip(model.weights, inputs, strict=True))
    return 1 / (1 + math.exp(-logit)) if logit >= 0 else math.exp(logit) / (1 + math.exp(logit))


def level(support: Support, calibration: FieldCalibration) -> Confidence:
    """`high`, `mid` or `low` by the probability; `high` only when two models agree and the arithmetic checks out.

    Nothing that was hard to read is `high`. An electronic invoice or a code that agrees makes a value likelier, but not
    `high`.
    """
    chance = probability(support, calibration)
    if may_be_high(support) and calibration.threshold < NEVER and chance >= calibration.threshold:
        return Confidence.HIGH
    return Confidence.MID if chance >= calibration.mid else Confidence.LOW


def may_be_high(support: Support) -> bool:
    """The contract's conditions for `high`, and that an invoice was read, read well enough, and breaks no rule."""
    is_read_well = support.legibility >= LEGIBLE and support.is_plausible and not support.is_foreign
    return support.models_agree and support.adds_up and is_read_well


def _logit(score: float, sure: float = _SURE) -> float:
    """A probability in natural-log units, of which 1 are the odds of 1 - `_SURE`; kept `sure` away from 0 and 1."""
    bounded = min(max(score, sure), 1 - sure)
    return math.log(bounded / (1 - bounded)) / _SCALE
