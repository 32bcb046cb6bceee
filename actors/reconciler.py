"""Makes invoices of documents that both models have read."""

import asyncio

from ray import serve

from serve_app.calibration_file import load_calibration
from serve_app.domain.batch import Section
from serve_app.domain.errors import DocumentError
from serve_app.domain.packed import LabelledPages
from serve_app.logs import configure_logging
from serve_app.reconciling.isolated import IsolatedReconciler
from serve_app.settings import Settings


@serve.deployment(max_ongoing_requests=8)
class Reconciler:
    """Splits, ranks and reconciles in child processes whose loss it survives (ADR 0036). Add replicas for more
    throughput."""

    def __init__(self, settings: Settings) -> None:
        configure_logging()
        self._reconciler = IsolatedReconciler(load_calibration(settings.calibration), settings.reconcile_seconds)

    async def reconcile(self, labelled: LabelledPages) -> list[Section] | DocumentError:
        """The invoices of a document, or the DocumentError: Serve would log a raised error with its traceback, and this
        one is expected."""
        try:
            return await self._reconciler.reconcile(labelled)
        except DocumentError as error:
            return error

    async def __del__(self) -> None:
        """Called and awaited by Serve when the replica stops."""
        await asyncio.to_thread(self._reconciler.close)
