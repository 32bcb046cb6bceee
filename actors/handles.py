"""The services' ports, over Ray Serve handles. The one place where Ray's errors become the service's own."""

import asyncio
import logging
from dataclasses import replace
from typing import Any

from ray.exceptions import RayError, RayTaskError
from ray.serve.exceptions import RayServeException
from ray.serve.handle import DeploymentHandle

from serve_app.documents.isolation.codec import decode_document
from serve_app.domain.document import Document
from serve_app.domain.reading import Reading
from serve_app.services.ports import Pages, TransientError

# Below the service's logger, so that its handler and format hold here, too.
logger = logging.getLogger(f"serve_app.{__name__}")

# A call that lasts longer is stuck: a reader replica lets four documents in, which take 900 s each at the very most
# (Settings.reader_seconds).
READ_TIMEOUT_S = 3700.0
# Far beyond what the largest document takes.
MODEL_TIMEOUT_S = 300.0
WAKE_TIMEOUT_S = 2.0
PROBE_TIMEOUT_S = 3.0


async def call(method: Any, *arguments: object, timeout_s: float) -> Any:
    """Call a deployment's method.

    Raises the error that the method raised, as itself; TransientError when its replica died, was out of reach or full,
    or gave no answer in `timeout_s` seconds.
    """
    try:
        return await asyncio.wait_for(method.remote(*arguments), timeout_s)
    except RayTaskError as error:
        # Serve mixes its own class into the error; `cause` is the one that was raised.
        raise error.cause from None
    except (RayError, RayServeException) as error:
        raise TransientError(f"{type(error).__name__}: the worker was lost or is busy") from error
    except TimeoutError as error:
        raise TransientError(f"no answer in {timeout_s:.0f} s") from error


class ReaderHandle:
    """A DocumentReader that runs in the reader deployment."""

    def __init__(self, handle: DeploymentHandle[Any]) -> None:
        self._handle = handle

    async def read(self, file_key: str, pages: Pages | None = None) -> Document:
        return decode_document(await call(self._handle.read, file_key, pages, timeout_s=READ_TIMEOUT_S))


class ModelHandle:
    """A FieldModel that runs in the extractor's or the verifier's deployment."""

    def __init__(self, handle: DeploymentHandle[Any]) -> None:
        self._handle = handle

    async def read(self, document: Document) -> Reading:
        reading: Reading = await call(self._handle.read, document, timeout_s=MODEL_TIMEOUT_S)
        return reading


class PictureHandle:
    """Pictures of pages, drawn by the reader deployment: one page a call, a few hundred kilobytes each."""

    def __init__(self, handle: DeploymentHandle[Any]) -> None:
        self._handle = handle

    async def add_to(self, document: Document) -> Document:
        """The document with a picture on every page that has words. Raises what reading raises."""
        if document.origin is None:
            return document
        pages = []
        for page in document.pages:
            bare = replace(page, words=())
            drawn = (
                await call(self._handle.draw, document.origin, bare, timeout_s=READ_TIMEOUT_S) if page.words else None
            )
            pages.append(replace(page, picture=drawn))
        return replace(document, pages=tuple(pages))


class WakerHandle:
    """A Waker of a deployment that polls; a lost call costs one polling interval, so it is only noted."""

    def __init__(self, handle: DeploymentHandle[Any]) -> None:
        self._handle = handle

    async def wake(self) -> None:
        try:
            await asyncio.wait_for(self._handle.wake.remote(), WAKE_TIMEOUT_S)
        except (RayError, RayServeException, TimeoutError) as error:
            logger.warning("not woken: %s", type(error).__name__)


class ModelsProbe:
    """Asks each model's deployment for a replica with its model in memory: one without answers nothing."""

    def __init__(self, *models: DeploymentHandle[Any]) -> None:
        self._models = models

    async def __call__(self) -> None:
        """TransientError where a model has no warm replica."""
        await asyncio.gather(*(call(model.status, timeout_s=PROBE_TIMEOUT_S) for model in self._models))
