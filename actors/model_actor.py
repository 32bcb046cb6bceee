"""What extractor and verifier share: merging calls for many documents into batches, and swapping a model in place."""

import logging
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import ray
from ray import serve
from ray.serve.handle import DeploymentHandle

from actors.handles import PictureHandle
from actors.model_host import HostedModel, ModelHost, ModelStatus, batch_cost
from serve_app.documents.packing import unpack
from serve_app.domain.document import Document
from serve_app.domain.packed import PackedPages
from serve_app.domain.reading import Reading
from serve_app.settings import Settings
from serve_app.system.heap import trim_heap
from serve_app.system.thread_pools import check_pools
from serve_app.telemetry.meter import set_to, timed
from serve_app.telemetry.series import MODEL_INFO, MODEL_REFUSED, STAGE_SECONDS
from serve_app.telemetry.tracer import continued, span
from serve_app.wiring.telemetry import start_telemetry

# A child of the service's logger, so that its handler and format apply here.
logger = logging.getLogger(f"serve_app.{__name__}")

# Tokens in one merged batch; each model splits it further to fit its memory (`models.token_budget`).
BATCH_TOKENS = 16_384
# How long the first call of a batch waits for others: short compared with the 100 ms or more that a page takes.
BATCH_WAIT_S = 0.02


def load_hosted_model(user_config: dict[str, Any], registry: Path, deployment: str, gpu_share: float) -> HostedModel:
    """Load and self-test the model that a deployment's `user_config` describes, in this share of a GPU's memory;
    versions are those of the registry, which notes what was loaded."""
    # Imported here because only the machine that runs the model needs torch, not the one that builds the application.
    from models.loading import load_model, note_loaded, parse_model

    config = parse_model(user_config)
    model = load_model(config, registry, gpu_share)
    note_loaded(config, registry, deployment)
    # What loading needed would otherwise be kept as free memory.
    trim_heap()
    return model


def share_of_gpu() -> float:
    """How much of a GPU Ray has given this replica: 0.5 if it shares one with another replica."""
    given = _given_gpus()
    return given if 0 < given < 1 else 1.0


def has_gpu() -> bool:
    """Whether Ray has given this replica a GPU, or a share of one."""
    return _given_gpus() > 0


def _given_gpus() -> float:
    resources = ray.get_runtime_context().get_assigned_resources()  # type: ignore[no-untyped-call]
    return float(resources.get("GPU", 0))


def _cost(documents: Sequence[Document]) -> int:
    return batch_cost(documents, BATCH_TOKENS)


class ModelActor:
    """A replica with one model in memory; each deployment has a subclass of its name."""

    stage: str

    def __init__(
        self,
        settings: Settings,
        reader: DeploymentHandle[Any] | None = None,
        is_further: bool = False,
        name: str | None = None,
    ) -> None:
        """`is_further`: of a pair beside the first one. Without it the service works as well, so a replica whose model
        was refused stays and says so, and does not keep the application from starting. `name`: of the deployment, if
        its process has another one."""
        start_telemetry(settings, type(self).__name__)
        self._name = name or serve.get_replica_context().deployment
        self._pictures = PictureHandle(reader) if reader else None
        registry = Path(settings.model_registry)
        load = partial(load_hosted_model, registry=registry, deployment=self._name, gpu_share=share_of_gpu())
        self._host = ModelHost(load, may_be_empty=is_further, has_gpu=has_gpu())
        # Not as a decorator: all actors of a process would share its queue, and the first would read for the others.
        batched = serve.batch(max_batch_size=BATCH_TOKENS, batch_wait_timeout_s=BATCH_WAIT_S, batch_size_fn=_cost)
        self._read_batch = batched(self._read_documents)

    async def reconfigure(self, user_config: dict[str, Any]) -> None:
        """Called by Serve at the start and at each change of `user_config`."""
        before = self._host.status
        await self._host.configure(user_config)
        publish_model(self._name, before, self._host.status)
        logger.info("this replica of %s takes %d MB", self._name, psutil.Process().memory_info().rss // 10**6)

    async def read(self, pages: Sequence[PackedPages], trace: str | None = None) -> Reading:
        """Label the words of some pages, in a batch with concurrent calls."""
        with continued(trace), span(f"{self.stage} in a replica"):
            document = unpack(pages)
            if self._host.needs_pictures and self._pictures:
                document = await self._pictures.add_to(document)
            return await self._read_batch(document)

    async def _read_documents(self, documents: list[Document]) -> list[Reading]:
        with timed(STAGE_SECONDS, stage=self.stage):
            return await self._host.read(documents)

    async def check_health(self) -> None:
        """Called by Serve. If it raises, Serve replaces the replica."""
        check_pools()

    def status(self) -> tuple[str, ModelStatus | None]:
        """The replica's id, the model it runs, and any that it refused."""
        return serve.get_replica_context().replica_id.unique_id, self._host.status


def publish_model(deployment: str, before: ModelStatus | None, now: ModelStatus | None) -> None:
    """Note which model a replica runs, and whether another one was refused."""
    if before is not None and before.revision is not None:
        set_to(MODEL_INFO, 0, deployment=deployment, revision=before.revision)
    if now is not None and now.revision is not None:
        set_to(MODEL_INFO, 1, deployment=deployment, revision=now.revision)
    set_to(MODEL_REFUSED, 1 if now and now.refusal else 0, deployment=deployment)
