"""From the words of a document to its invoices: a pair of models reads them, then their readings are reconciled."""

import logging
import time
from collections.abc import Mapping
from functools import partial

from serve_app.domain.batch import Interpreted
from serve_app.domain.errors import DocumentError
from serve_app.domain.model_pairs import FIRST
from serve_app.domain.pace import Stage
from serve_app.domain.packed import LabelledPages, ReadDocument
from serve_app.domain.usage import NOTHING_SPENT, ComputeTime
from serve_app.services.ports import FieldModel, Reconciler
from serve_app.services.processing.labelling import Labelling
from serve_app.services.processing.retry import with_retries
from serve_app.telemetry.tally import stage, tallied

FURTHER_RETRY_SECONDS = 10.0
"""How long a document waits for a model that is out of reach, of a pair beside the first one."""
REST_SECONDS = 30.0
"""How long such a pair is not asked after it failed, so that it delays few documents."""

log = logging.getLogger(__name__)


class Interpreting:
    """The Interpreter of a process; a worker that is out of reach is asked again for `retry_seconds`.

    `further` are the models of the pairs beside the first one. Where such a pair fails, in whatever way, the first one
    reads the document: the result names the models that did.
    """

    def __init__(
        self,
        extractor: FieldModel,
        verifier: FieldModel,
        reconciler: Reconciler,
        retry_seconds: float,
        further: Mapping[str, tuple[FieldModel, FieldModel]] | None = None,
    ) -> None:
        self._first = Labelling(extractor, verifier, retry_seconds)
        further_seconds = min(retry_seconds, FURTHER_RETRY_SECONDS)
        self._further = {name: Labelling(*models, further_seconds) for name, models in (further or {}).items()}
        self._rests_until: dict[str, float] = {}
        self._reconciler = reconciler
        self._retry_seconds = retry_seconds

    async def interpret(self, document: ReadDocument, pair: str = FIRST) -> Interpreted:
        """The invoices of the document. Raises DocumentError, TransientError."""
        interpreted = None if pair == FIRST else await self._by_further(pair, document)
        return interpreted or await self._by(FIRST, self._first, document)

    async def _by_further(self, pair: str, document: ReadDocument) -> Interpreted | None:
        """None if the pair is not served, or does not work at present."""
        models = self._further.get(pair)
        if models is None:
            log.warning("the first pair of models reads instead: no pair %s is served", pair)
            return None
        if time.monotonic() < self._rests_until.get(pair, 0.0):
            log.warning("the first pair of models reads instead: %s has failed a moment ago", pair)
            return None
        try:
            return await self._by(pair, models, document)
        except Exception as error:
            # Only its kind: a model's message might quote the document. A document that is at fault fails again.
            log.warning("the first pair of models reads instead: %s failed with %s", pair, type(error).__name__)
            if not isinstance(error, DocumentError):
                self._rests_until[pair] = time.monotonic() + REST_SECONDS
            return None

    async def _by(self, pair: str, models: Labelling, document: ReadDocument) -> Interpreted:
        with tallied() as took:
            extractor, verifier = await models.label(document)
            labelled = LabelledPages(document.pages, extractor, verifier, document.is_part, document.target)
            with stage("reconcile"):
                reconcile = partial(self._reconciler.reconcile, labelled)
                reconciled = await with_retries(reconcile, self._retry_seconds, "reconciler")
        busy = {Stage.RECONCILE: reconciled.seconds}
        if pair == FIRST:
            # What the stages cost decides about replicas: those of the first pair.
            busy[Stage.EXTRACT] = sum(reading.seconds for reading in extractor)
            busy[Stage.VERIFY] = sum(reading.seconds for reading in verifier)
        by_models = sum((reading.spent for reading in (*extractor, *verifier)), NOTHING_SPENT)
        spent = by_models + ComputeTime(reconciled.cpu_seconds)
        return Interpreted(reconciled.sections, busy, dict(took), pair, spent)
