"""Deployments that take as long as real ones and do nothing. Names and methods are those of the application's."""

import asyncio
from collections.abc import Sequence
from typing import Any

import numpy as np
from ray import serve
from ray.serve.handle import DeploymentHandle

from serve_app.documents.packing import pack, unpack
from serve_app.domain.batch import Interpreted, Reconciled, Section
from serve_app.domain.document import Box, Document, Page, Word
from serve_app.domain.invoice import Extraction
from serve_app.domain.model_pairs import FIRST
from serve_app.domain.packed import LabelledPages, PackedPages, PagesRead, ReadDocument
from serve_app.domain.reading import PageReading, Reading
from serve_app.services.processing.interpreting import Interpreting

READ_SECONDS = 0.2
MODEL_SECONDS = 0.15
RECONCILE_SECONDS = 0.08
_DOCUMENT = Document((Page(1, 595.0, 842.0, (Word("Total", Box(0.1, 0.1, 0.2, 0.2)),)),))


class Worker:
    """Does one thing at a time."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def busy(self, seconds: float) -> None:
        """Returns when it was this call's turn, and `seconds` have passed since."""
        async with self._turn:
            await asyncio.sleep(seconds)


@serve.deployment(max_ongoing_requests=64)
class Reader(Worker):
    async def read(self, file_key: str, part: Any = None, numbers: Any = None, delay: float = 0.0) -> PagesRead:
        await self.busy(READ_SECONDS)
        return PagesRead(1, pack(_DOCUMENT), READ_SECONDS)


class _Model(Worker):
    async def read(self, pages: Sequence[PackedPages], trace: str | None = None) -> Reading:
        await self.busy(MODEL_SECONDS)
        scores = (PageReading(np.ones((len(page.words), 1), np.float32)) for page in unpack(pages).pages)
        return Reading("stand-in", ("O",), tuple(scores), MODEL_SECONDS)

    def status(self) -> tuple[str, None]:
        """Called by whoever wants to know whether a model is ready."""
        return serve.get_replica_context().replica_id.unique_id, None


@serve.deployment(max_ongoing_requests=64)
class Extractor(_Model):
    pass


@serve.deployment(max_ongoing_requests=64)
class Verifier(_Model):
    pass


@serve.deployment(max_ongoing_requests=64)
class Reconciler(Worker):
    """Asks the models as the real one does."""

    def __init__(self, extractor: DeploymentHandle[Any], verifier: DeploymentHandle[Any]) -> None:
        from actors.handles import ModelHandle

        super().__init__()
        self._interpreting = Interpreting(ModelHandle(extractor), ModelHandle(verifier), self, retry_seconds=60)

    async def interpret(self, document: ReadDocument, pair: str = FIRST, trace: str | None = None) -> Interpreted:
        return await self._interpreting.interpret(document, pair)

    async def reconcile(self, labelled: LabelledPages) -> Reconciled:
        await self.busy(RECONCILE_SECONDS)
        return Reconciled([Section(1, len(labelled.pages), Extraction())], RECONCILE_SECONDS)


@serve.deployment
class Delivery:
    async def wake(self) -> None:
        """Nothing is delivered."""


@serve.deployment
class Ingress:
    """Keeps the graph together, and asks the models whether they are ready as `/readyz` does."""

    def __init__(self, dispatcher: DeploymentHandle[Any], *models: DeploymentHandle[Any]) -> None:
        from actors.handles import ModelsProbe

        self._dispatcher = dispatcher
        self._probe = ModelsProbe(*models, may_sleep=True)

    async def look(self) -> None:
        """A run has ended; no call is held."""

    async def ready(self) -> None:
        """Raises if a model that is awake does not answer."""
        await self._probe.check()
