"""Which calibration judges the answers of a pair of models."""

import logging

from serve_app.extraction.confidence.calibration import Calibration

log = logging.getLogger(__name__)


class Calibrations:
    """One calibration or more, each for the pair of models that it was fitted on.

    A pair without one is judged by the first, which still ranks values, but never says `high`: how often such values
    are right was not measured. Neither does it for a model that reads twice, which agrees with itself.
    """

    def __init__(self, first: Calibration, *others: Calibration) -> None:
        self.first = first
        self._all = (first, *others)
        self._of_others = first.without_high()
        self._warned: set[tuple[str, str]] = set()

    def of(self, extractor: str, verifier: str) -> Calibration:
        """The calibration for these revisions of the models."""
        fitting = (each for each in self._all if each.is_for(extractor, verifier))
        return next(fitting, self._of_others)

    def warn(self, extractor: str, verifier: str) -> None:
        """Log, once for each pair, that no calibration was fitted on these revisions."""
        pair = extractor, verifier
        if pair in self._warned or any(each.is_for(*pair) for each in self._all):
            return
        self._warned.add(pair)
        log.warning("no value is high: no calibration was fitted on the models %s and %s", *pair)
