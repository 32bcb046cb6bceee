"""Fitting a calibration, and judging it on documents that it was not fitted on."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from models.evaluation.logistic import Floats, Indices, Ridge, fit, predict
from models.evaluation.observations import HEADER_KINDS, KINDS, ROW, Judged, Observation, judged_by
from models.evaluation.reliability import brier, expected_error
from models.evaluation.thresholds import Candidate, high_threshold
from serve_app.domain.invoice import Confidence, Field
from serve_app.extraction.calibration import Calibration, FieldCalibration, Quality
from serve_app.extraction.confidence import features, may_be_high

# Where fewer than this share of the `high` values of a field are right in cross-validation, the field has no `high`.
PROVEN = 0.9
RIDGE = Ridge(shared=3.0, group=10.0, intercept=1.0)
# Below this a value is at least as likely wrong as right: a guess.
MID = 0.5


@dataclass(frozen=True, slots=True)
class _Data:
    """The values that were given, as arrays; `importance` is such that a group of nearly the same documents, or of
    rows of one table, counts as the square root of its number."""

    given: list[Observation]
    inputs: Floats
    kinds: Indices
    right: Floats
    importance: Floats

    def weights(self, chosen: npt.NDArray[np.bool_]) -> Floats:
        return fit(
            self.inputs[chosen], self.kinds[chosen], self.right[chosen], self.importance[chosen], len(KINDS), RIDGE
        )


def fit_calibration(observed: Sequence[Observation], judged: Sequence[Judged]) -> Calibration:
    """The calibration of all that was observed, its thresholds by what cross-validation (`judged`) says of each value;
    raise ValueError where nothing was observed."""
    data = _data(observed)
    chances = {id(judgement.observation): judgement.chance for judgement in judged}
    known = [chances[id(observation)] or 0.0 for observation in data.given]
    fitted = _calibration(data.weights(np.ones(len(data.given), dtype=bool)), data.given, known)
    proven = {judgement.observation.kind for judgement in judged if judgement.level is Confidence.HIGH}
    fields = {field: part if field.value in proven else _never_high(part) for field, part in fitted.fields.items()}
    return Calibration(fields=fields, row=fitted.row if ROW in proven else _never_high(fitted.row))


def _never_high(part: FieldCalibration) -> FieldCalibration:
    return part.model_copy(update={"high": 1.0})


def cross_validate(observed: Sequence[Observation], folds: int) -> list[Judged]:
    """Judge every value by a calibration that was fitted without its group of documents; raise ValueError where
    nothing was observed."""
    data = _data(observed)
    fold = _folds([observation.group for observation in data.given], folds)
    fitted = {number: data.weights(fold != number) for number in range(folds)}
    chances = np.zeros(len(fold))
    for number, weights in fitted.items():
        mine = fold == number
        chances[mine] = predict(data.inputs[mine], data.kinds[mine], weights)
    judged = [Judged(observation, None, None) for observation in observed if observation.support is None]
    for number, weights in fitted.items():
        others = np.flatnonzero(fold != number)
        calibration = _calibration(weights, [data.given[i] for i in others], [float(chances[i]) for i in others])
        judged += [judged_by(calibration, data.given[i]) for i in np.flatnonzero(fold == number)]
    return _withdrawn(judged)


def _withdrawn(judged: list[Judged]) -> list[Judged]:
    """The same values, none of them `high` where `high` did not prove right on documents that it was not fitted on."""
    high: dict[str, list[bool]] = defaultdict(list)
    for judgement in judged:
        if judgement.level is Confidence.HIGH:
            high[judgement.observation.kind].append(judgement.observation.is_right)
    unproven = {kind for kind, right in high.items() if sum(right) < PROVEN * len(right)}
    return [
        replace(judgement, level=Confidence.MID)
        if judgement.level is Confidence.HIGH and judgement.observation.kind in unproven
        else judgement
        for judgement in judged
    ]


def quality(judged: Sequence[Judged], folds: int) -> Quality:
    """How well the header fields were judged."""
    header = [judgement for judgement in judged if judgement.observation.kind in HEADER_KINDS]
    chances = [judgement.chance for judgement in header if judgement.chance is not None]
    right = [judgement.observation.is_right for judgement in header if judgement.chance is not None]
    high = [judgement.observation.is_right for judgement in header if judgement.level is Confidence.HIGH]
    return Quality(
        folds=folds,
        ece=round(expected_error(chances, right), 4),
        brier=round(brier(chances, right), 4),
        high_precision=round(sum(high) / len(high), 4) if high else None,
        high_coverage=round(len(high) / len(header), 4),
    )


def _data(observed: Sequence[Observation]) -> _Data:
    given = [observation for observation in observed if observation.support is not None]
    if not given:
        raise ValueError("there are no values to fit a calibration on")
    like = Counter((observation.group, observation.kind) for observation in given)
    return _Data(
        given,
        np.array([features(observation.support) for observation in given if observation.support], dtype=np.float64),
        np.array([KINDS.index(observation.kind) for observation in given], dtype=np.int64),
        np.array([observation.is_right for observation in given], dtype=np.float64),
        np.array([like[observation.group, observation.kind] ** -0.5 for observation in given], dtype=np.float64),
    )


def _folds(groups: Sequence[str], folds: int) -> Indices:
    """The fold of each value: groups stay whole, the largest are dealt out first, each to the emptiest fold."""
    sizes, filled = Counter(groups), [0] * folds
    chosen: dict[str, int] = {}
    for group, size in sorted(sizes.items(), key=lambda item: (-item[1], item[0])):
        chosen[group] = filled.index(min(filled))
        filled[chosen[group]] += size
    return np.array([chosen[group] for group in groups], dtype=np.int64)


def _calibration(weights: Floats, given: Sequence[Observation], chances: Sequence[float]) -> Calibration:
    by_kind: dict[str, list[Candidate]] = defaultdict(list)
    for one, chance in zip(given, chances, strict=True):
        if one.support is not None and may_be_high(one.support):
            by_kind[one.kind].append(Candidate(chance, one.is_right))
    everything = [candidate for kind in HEADER_KINDS for candidate in by_kind[kind]]
    parts = {
        kind: FieldCalibration(
            intercept=round(float(row[0]), 4),
            weights=tuple(round(float(weight), 4) for weight in row[1:]),
            high=round(high_threshold(by_kind[kind], everything), 4),
            mid=MID,
        )
        for kind, row in zip(KINDS, weights, strict=True)
    }
    return Calibration(fields={field: parts[field.value] for field in Field}, row=parts[ROW])
