"""Reconciling for callers on an event loop."""

from serve_app.domain.batch import Reconciled
from serve_app.domain.packed import LabelledPages
from serve_app.extraction.confidence.calibrations import Calibrations
from serve_app.reconciling.lane import Lane

# About twenty invoice pages: a second or two of work.
LONG_WORDS = 5000


class IsolatedReconciler:
    """Two processes, each with one document at a time: long documents have their own, so that short ones never wait for
    a long one. `max_seconds` is the time limit of one document."""

    def __init__(self, calibrations: Calibrations, max_seconds: float) -> None:
        self._calibrations = calibrations
        self._short, self._long = Lane(calibrations, max_seconds), Lane(calibrations, max_seconds)

    async def reconcile(self, labelled: LabelledPages) -> Reconciled:
        """The invoices of a document, at least one. Raises DocumentError if it takes too long; ProcessLost; ValueError
        if a reading is of another document."""
        self._calibrations.warn(labelled.extractor[0].model, labelled.verifier[0].model, labelled.target)
        lane = self._long if labelled.words > LONG_WORDS else self._short
        return await lane.reconcile(labelled)

    def close(self) -> None:
        """Kill the processes; calls in progress raise ProcessLost."""
        self._short.close()
        self._long.close()
