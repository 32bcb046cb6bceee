"""What extractor and verifier share: merging calls for many documents into batches, and swapping a model in place."""

from collections.abc import Sequence
from typing import Any

from ray import serve
from ray.serve.handle import DeploymentHandle
from ray.util.metrics import Gauge

from actors.handles import PictureHandle
from actors.model_host import HostedModel, ModelHost, ModelStatus, batch_cost
from serve_app.documents.packing import unpack
from serve_app.domain.document import Document
from serve_app.domain.packed import PackedPages
from serve_app.domain.reading import Reading
from serve_app.logs import configure_logging

# Tokens in one merged batch; each model splits it further by its own `token_budget` to fit its memory.
BATCH_TOKENS = 16_384
# How long the first call of a batch waits for others: short compared with the 100 ms or more that a page takes.
BATCH_WAIT_S = 0.02


def load_hosted_model(user_config: dict[str, Any]) -> HostedModel:
    """Load and self-test the model that a deployment's `user_config` describes."""
    # Imported here because only the machine that runs the model needs torch, not the one that builds the application.
    from models.registry import ModelConfig, load_model

    return load_model(ModelConfig.model_validate(user_config))


def _cost(documents: Sequence[Document]) -> int:
    return batch_cost(documents, BATCH_TOKENS)


class ModelActor:
    """A replica with one model in memory."""

    def __init__(self, reader: DeploymentHandle[Any] | None = None) -> None:
        configure_logging()
        self._pictures = PictureHandle(reader) if reader else None
        self._host = ModelHost(load_hosted_model)
        self._refused = Gauge(
            "invoices_model_refused", "1 while the configured model is refused and an older one is in use."
        )

    async def reconfigure(self, user_config: dict[str, Any]) -> None:
        """Called by Serve at the start and at each change of `user_config`."""
        await self._host.configure(user_config)
        status = self._host.status
        self._refused.set(1 if status and status.refusal else 0)

    async def read(self, pages: Sequence[PackedPages]) -> Reading:
        """Label the words of some pages, in a batch with concurrent calls."""
        document = unpack(pages)
        if self._host.needs_pictures and self._pictures:
            document = await self._pictures.add_to(document)
        return await self._read_batch(document)

    @serve.batch(max_batch_size=BATCH_TOKENS, batch_wait_timeout_s=BATCH_WAIT_S, batch_size_fn=_cost)
    async def _read_batch(self, documents: list[Document]) -> list[Reading]:
        return await self._host.read(documents)

    def status(self) -> tuple[str, ModelStatus | None]:
        """The replica's id, the model it runs, and any that it refused."""
        return serve.get_replica_context().replica_id.unique_id, self._host.status
