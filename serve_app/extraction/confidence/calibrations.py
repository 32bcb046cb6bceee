"""Which calibration judges the answers of a pair of models."""

import logging

from serve_app.domain.model_identity import ModelIdentity
from serve_app.domain.target_precision import TargetPrecision
from serve_app.extraction.confidence.calibration import Calibration

log = logging.getLogger(__name__)

HOW_TO_FIT = "fit it again with invoices models calibrate"
HOW_TO_BIND = f"invoices models bind FILE --extractor MODEL --verifier MODEL says so; or {HOW_TO_FIT}"
"""For calibrations of before version 1.1."""


class Calibrations:
    """One calibration or more, each for the pair of models that it was fitted on.

    A pair without one is judged by the first, which still ranks values, but never says `high`: how often such values
    are right was not measured. Neither does it for a model that reads twice, which agrees with itself.
    """

    def __init__(self, first: Calibration, *others: Calibration) -> None:
        self.first = first
        self.all = (first, *others)
        self._of_others = first.without_high()
        self._warned: set[tuple[ModelIdentity, ModelIdentity, TargetPrecision]] = set()

    @property
    def targets(self) -> frozenset[TargetPrecision]:
        """The target precisions that all of them were fitted for, which accounts can choose."""
        return frozenset.intersection(*(each.targets for each in self.all))

    def of(self, extractor: ModelIdentity, verifier: ModelIdentity) -> Calibration:
        """The calibration for these models."""
        fitting = (each for each in self.all if each.is_for(extractor, verifier))
        return next(fitting, self._of_others)

    def problem(
        self,
        extractor: ModelIdentity,
        verifier: ModelIdentity,
        target: TargetPrecision = TargetPrecision.STANDARD,
    ) -> str | None:
        """Why no value of this pair is high; None if a calibration was fitted on it for this target precision."""
        pair = extractor, verifier
        names = f"{extractor.revision} and {verifier.revision}"
        if any(each.is_for(*pair) for each in self.all):
            is_fitted = target in self.of(*pair).targets
            return None if is_fitted else f"the calibration for {names} has no target precision {target}: {HOW_TO_FIT}"
        namesakes = [each for each in self.all if each.has_names_of(*pair)]
        if any(each.has_names_only for each in namesakes):
            return f"the calibration for {names} does not say which files they are: {HOW_TO_BIND}"
        if namesakes:
            return f"the calibration for {names} was fitted on other models of these names: {HOW_TO_FIT}"
        return f"no calibration was fitted on the models {names}"

    def warn(
        self,
        extractor: ModelIdentity,
        verifier: ModelIdentity,
        target: TargetPrecision = TargetPrecision.STANDARD,
    ) -> None:
        """Log, once for each pair and target precision, why none of its values is high."""
        asked = extractor, verifier, target
        if asked in self._warned:
            return
        self._warned.add(asked)
        if problem := self.problem(*asked):
            log.warning("no value is high: %s", problem)
