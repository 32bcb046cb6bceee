"""Makes invoices of documents that were read."""

from collections.abc import Mapping
from typing import Any

from ray import serve
from ray.serve.handle import DeploymentHandle

from actors.handles import FURTHER_TIMEOUT_S, ModelHandle
from serve_app.domain.batch import Interpreted
from serve_app.domain.errors import DocumentError
from serve_app.domain.model_pairs import FIRST
from serve_app.domain.packed import ReadDocument
from serve_app.reconciling.calibrations import load_calibrations
from serve_app.reconciling.isolated import IsolatedReconciler
from serve_app.services.processing.interpreting import Interpreting
from serve_app.settings import Settings
from serve_app.system.thread_pools import WAITING, check_pools
from serve_app.telemetry.fields import count_fields, publish_calibrations
from serve_app.telemetry.tracer import continued, span
from serve_app.wiring.telemetry import start_telemetry


@serve.deployment(max_ongoing_requests=64)
class Reconciler:
    """Asks both models about a document, then splits, ranks and reconciles in child processes whose loss it survives
    (ADR 0036, 0066). Add replicas for more throughput.

    It asks the models so that a dispatcher makes one call for all of this. Most documents that it admits wait for a
    model.
    """

    def __init__(
        self,
        settings: Settings,
        extractor: DeploymentHandle[Any],
        verifier: DeploymentHandle[Any],
        further: Mapping[str, tuple[DeploymentHandle[Any], DeploymentHandle[Any]]] | None = None,
    ) -> None:
        """`further` are the models of the pairs beside the first one, by the pair's name."""
        start_telemetry(settings, "Reconciler")
        calibrations = load_calibrations(settings.calibration)
        publish_calibrations(calibrations.first)
        self._reconciler = IsolatedReconciler(calibrations, settings.reconcile_seconds)
        pairs = {
            name: (ModelHandle(first, FURTHER_TIMEOUT_S), ModelHandle(second, FURTHER_TIMEOUT_S))
            for name, (first, second) in (further or {}).items()
        }
        models = ModelHandle(extractor), ModelHandle(verifier)
        self._interpreting = Interpreting(*models, self._reconciler, settings.retry_seconds, pairs)

    async def interpret(
        self, document: ReadDocument, pair: str = FIRST, trace: str | None = None
    ) -> Interpreted | DocumentError:
        """The invoices of a document, or the DocumentError: Serve would log a raised error with its traceback, and this
        one is expected. `pair` is the pair of models to ask."""
        try:
            with continued(trace), span("interpret in a replica"):
                interpreted = await self._interpreting.interpret(document, pair)
        except DocumentError as error:
            return error
        if interpreted.pair == FIRST:
            # The shares at calibration are those of the first pair.
            count_fields(interpreted.sections)
        return interpreted

    async def check_health(self) -> None:
        """Called by Serve. If it raises, Serve replaces the replica."""
        check_pools()

    async def __del__(self) -> None:
        """Called and awaited by Serve when the replica stops."""
        await WAITING.run(self._reconciler.close)
