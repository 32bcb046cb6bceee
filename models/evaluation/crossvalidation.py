"""Fits a calibration, and judges it on documents that it was not fitted on."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from models.evaluation.logistic import Floats, Indices, Ridge, fit, predict
from models.evaluation.observations import HEADER_KINDS, KINDS, ROW, Judged, Observation, judged_by
from models.evaluation.reliability import brier, expected_error
from models.evaluation.target_thresholds import STRICTER, thresholds_at
from serve_app.domain.evidence import HEADER
from serve_app.domain.guarantee import Candidate
from serve_app.domain.invoice import VERIFIED_BY, Confidence, Field
from serve_app.domain.target_precision import TargetPrecision
from serve_app.extraction.confidence.calibration import Calibration, FieldCalibration, Logistic, Quality, Shares
from serve_app.extraction.confidence.confidence import features, may_be_high

# With fewer sources, groups are left out instead of whole sources.
FEWEST_SOURCES = 4
Mask = npt.NDArray[np.bool_]

RIDGE = Ridge(shared=3.0, group=10.0, intercept=1.0)
# A value with a lower probability is more likely wrong than right: a guess.
MID = 0.5


@dataclass(frozen=True, slots=True)
class _Weights:
    """The weights of each kind of value, the intercept first: for all values, and for those that may be `high`."""

    every: Floats
    proved: Floats


@dataclass(frozen=True, slots=True)
class _Data:
    """The extracted values, as arrays; with `importance`, a group of nearly identical documents, or the rows of one
    table, counts as the square root of its size. `may_be_high`: the values that fulfil the conditions of `high`."""

    given: list[Observation]
    inputs: Floats
    kinds: Indices
    right: Floats
    importance: Floats
    may_be_high: Mask

    def weights(self, chosen: Mask) -> _Weights:
        every, proved = self._fit(chosen), chosen & self.may_be_high
        return _Weights(every, self._fit(proved) if proved.any() else every)

    def _fit(self, chosen: Mask) -> Floats:
        return fit(
            self.inputs[chosen], self.kinds[chosen], self.right[chosen], self.importance[chosen], len(KINDS), RIDGE
        )

    def chances(self, chosen: Mask, weights: _Weights) -> Floats:
        """The probability of each chosen value, as `confidence.probability` tells it."""
        inputs, kinds = self.inputs[chosen], self.kinds[chosen]
        usual, proved = predict(inputs, kinds, weights.every), predict(inputs, kinds, weights.proved)
        return np.where(self.may_be_high[chosen], np.maximum(usual, proved), usual)


def fit_calibration(observed: Sequence[Observation], folds: int) -> Calibration:
    """The calibration of all observations; its thresholds depend on what is said about each value without its own part
    of the data (`_parts`). Raises ValueError if there are no observations."""
    data = _data(observed)
    chances = np.zeros(len(data.given))
    for mine, weights in _without_each(data, folds):
        chances[mine] = data.chances(mine, weights)
    everything = np.ones(len(data.given), dtype=bool)
    return _calibration(data.weights(everything), data, everything, chances)


def cross_validate(observed: Sequence[Observation], folds: int) -> list[Judged]:
    """Judge every value by a calibration that was fitted without its part of the data, and whose thresholds were chosen
    without it; raises ValueError if there are no observations."""
    return cross_validate_targets(observed, folds)[TargetPrecision.STANDARD]


def cross_validate_targets(observed: Sequence[Observation], folds: int) -> dict[TargetPrecision, list[Judged]]:
    """The same for each target precision."""
    data = _data(observed)
    left_out = list(_without_each(data, folds))
    chances = np.zeros(len(data.given))
    for mine, weights in left_out:
        chances[mine] = data.chances(mine, weights)
    missing = [Judged(observation, None, None) for observation in observed if observation.support is None]
    judged = {target: list(missing) for target in TargetPrecision}
    for mine, weights in left_out:
        calibration = _calibration(weights, data, ~mine, chances)
        for target, found in judged.items():
            at_target = calibration.at(target)
            found += [judged_by(at_target, data.given[i]) for i in np.flatnonzero(mine)]
    return judged


def _without_each(data: _Data, folds: int) -> Iterator[tuple[Mask, _Weights]]:
    """Each part of the data, with the weights fitted on all other parts."""
    part = _parts(data.given, folds)
    for number in np.unique(part):
        mine = part == number
        yield mine, data.weights(~mine)


def _parts(given: Sequence[Observation], folds: int) -> Indices:
    """The part that each value is left out with: its source with all documents, since a caller's documents come from
    sources that nothing was fitted on; or its group, if there are too few sources."""
    sources = sorted({observation.source for observation in given})
    if len(sources) < FEWEST_SOURCES:
        return _folds([observation.group for observation in given], folds)
    return np.array([sources.index(observation.source) for observation in given], dtype=np.int64)


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


def auto_verified(judged: Sequence[Judged]) -> tuple[int, int, int]:
    """How many documents would be `auto_verified`, in how many of these all needed values are right, and of how many
    documents all needed fields were judged. A file with several invoices counts once, by the last of them."""
    found: dict[str, dict[str, Judged]] = defaultdict(dict)
    for one in judged:
        found[one.observation.case][one.observation.kind] = one
    needed = {field.value for field in VERIFIED_BY}
    complete = [[values[kind] for kind in needed] for values in found.values() if needed <= set(values)]
    verified = [values for values in complete if all(value.level is Confidence.HIGH for value in values)]
    right = sum(all(value.observation.is_right for value in values) for values in verified)
    return len(verified), right, len(complete)


def shares(judged: Sequence[Judged]) -> dict[Field, Shares]:
    """What the header fields were like, for comparison with later documents."""
    found: dict[Field, Shares] = {}
    for field in HEADER:
        mine = [one for one in judged if one.observation.kind == field and one.observation.support is not None]
        if mine:
            high = sum(one.level is Confidence.HIGH for one in mine)
            agreed = sum(one.observation.support.models_agree for one in mine if one.observation.support)
            found[field] = Shares(high=round(high / len(mine), 4), agreed=round(agreed / len(mine), 4))
    return found


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
        np.array([observation.support is not None and may_be_high(observation.support) for observation in given]),
    )


def _folds(groups: Sequence[str], folds: int) -> Indices:
    """The fold of each value: groups stay whole, the largest are dealt out first, each to the emptiest fold."""
    sizes, filled = Counter(groups), [0] * folds
    chosen: dict[str, int] = {}
    for group, size in sorted(sizes.items(), key=lambda item: (-item[1], item[0])):
        chosen[group] = filled.index(min(filled))
        filled[chosen[group]] += size
    return np.array([chosen[group] for group in groups], dtype=np.int64)


def _calibration(weights: _Weights, data: _Data, chosen: Mask, chances: Floats) -> Calibration:
    """The calibration with these weights, and with thresholds from the chosen values."""
    by_kind: dict[str, list[Candidate]] = defaultdict(list)
    for index in np.flatnonzero(chosen & data.may_be_high):
        given = data.given[index]
        candidate = Candidate(float(chances[index]), given.is_right, float(data.importance[index]))
        by_kind[given.kind].append(candidate)
    thresholds = {target: thresholds_at(by_kind, target) for target in TargetPrecision}
    parts = {}
    for kind, usual, proved in zip(KINDS, weights.every, weights.proved, strict=True):
        parts[kind] = FieldCalibration(
            **_logistic(usual).model_dump(),
            proved=_logistic(proved),
            high=thresholds[TargetPrecision.STANDARD][kind],
            mid=MID,
            stricter={target: thresholds[target][kind] for target in STRICTER},
        )
    return Calibration(fields={field: parts[field.value] for field in Field}, row=parts[ROW])


def _logistic(weights: Floats) -> Logistic:
    intercept, *others = (round(float(weight), 4) for weight in weights)
    return Logistic(intercept=intercept, weights=tuple(others))
