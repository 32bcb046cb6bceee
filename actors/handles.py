"""The services' ports, over Ray Serve handles. The only place that translates Ray's errors into the service's own."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ray import serve
from ray.exceptions import RayError, RayTaskError
from ray.serve.exceptions import RayServeException
from ray.serve.handle import DeploymentHandle

from actors.model_host import ModelStatus
from serve_app.domain.batch import Section
from serve_app.domain.document import Document
from serve_app.domain.errors import DocumentError
from serve_app.domain.model_report import ModelReport
from serve_app.domain.packed import LabelledPages, PackedPages, PagesRead
from serve_app.domain.reading import Reading
from serve_app.services.ports import Pages, TransientError

# A child of the service's logger, so that its handler and format apply here.
logger = logging.getLogger(f"serve_app.{__name__}")

# A longer call is stuck: even behind thirty pages that take the longest that a page may (Settings.reader_page_seconds).
READ_TIMEOUT_S = 3700.0
# Far longer than the largest document takes.
MODEL_TIMEOUT_S = 300.0
WAKE_TIMEOUT_S = 2.0
PROBE_TIMEOUT_S = 3.0
# How often each model is asked for a report: enough to reach all of a few replicas.
ASKED = 8


async def call(method: Any, *arguments: object, timeout_s: float) -> Any:
    """Call a deployment's method.

    Raises the method's own error unwrapped, and a DocumentError that it returns; TransientError if the replica died,
    was unreachable or full, or did not answer within `timeout_s` seconds.
    """
    try:
        result = await asyncio.wait_for(method.remote(*arguments), timeout_s)
    except RayTaskError as error:
        # Serve raises a mix of its own class and the error's; `cause` is the original error.
        raise error.cause from None
    except (RayError, RayServeException) as error:
        raise TransientError(f"{type(error).__name__}: the worker was lost or is busy") from error
    except TimeoutError as error:
        raise TransientError(f"no answer in {timeout_s:.0f} s") from error
    if isinstance(result, DocumentError):
        raise result
    return result


class ReaderHandle:
    """A DocumentReader that runs in the reader deployment."""

    def __init__(self, handle: DeploymentHandle[Any]) -> None:
        self._handle = handle

    async def read(
        self,
        file_key: str,
        part: Pages | None = None,
        numbers: tuple[int, ...] | None = None,
        delay: float = 0.0,
    ) -> PagesRead:
        read: PagesRead = await call(self._handle.read, file_key, part, numbers, delay, timeout_s=READ_TIMEOUT_S)
        return read


class ModelHandle:
    """A FieldModel that runs in the extractor's or the verifier's deployment."""

    def __init__(self, handle: DeploymentHandle[Any]) -> None:
        self._handle = handle

    async def read(self, pages: Sequence[PackedPages]) -> Reading:
        reading: Reading = await call(self._handle.read, pages, timeout_s=MODEL_TIMEOUT_S)
        return reading


class ReconcilerHandle:
    """A Reconciler that runs in the reconciler deployment. `timeout_s` is how long a call may take, including
    the calls that it waits for."""

    def __init__(self, handle: DeploymentHandle[Any], timeout_s: float) -> None:
        self._handle = handle
        self._timeout_s = timeout_s

    async def reconcile(self, labelled: LabelledPages) -> Sequence[Section]:
        sections: Sequence[Section] = await call(self._handle.reconcile, labelled, timeout_s=self._timeout_s)
        return sections


class PictureHandle:
    """Pictures of pages, drawn by the reader deployment: one page per call, a few hundred kilobytes each."""

    def __init__(self, handle: DeploymentHandle[Any]) -> None:
        self._handle = handle

    async def add_to(self, document: Document) -> Document:
        """The document with a picture for every page that has words. Raises what reading raises."""
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
    """A Waker for a deployment that polls."""

    def __init__(self, handle: DeploymentHandle[Any]) -> None:
        self._handle = handle

    async def wake(self) -> None:
        await call(self._handle.wake, timeout_s=WAKE_TIMEOUT_S)


class HeldCallsHandle:
    """A Waker for the calls that all replicas of the ingress hold. It is only a hint: the calls also look by
    themselves."""

    def __init__(self, deployment: str) -> None:
        self._deployment = deployment
        self._handle: DeploymentHandle[Any] | None = None

    async def wake(self) -> None:
        await self._found().broadcast("look").results_async(timeout_s=WAKE_TIMEOUT_S, return_exceptions=True)

    def _found(self) -> DeploymentHandle[Any]:
        # Not bound like the other handles: the ingress depends on the dispatcher.
        if self._handle is None:
            app = serve.get_replica_context().app_name
            self._handle = serve.get_deployment_handle(self._deployment, app_name=app)
        return self._handle


class ModelsProbe:
    """Checks that each model's deployment has a replica with its model in memory: one without does not answer."""

    def __init__(self, *models: DeploymentHandle[Any]) -> None:
        self._models = models

    async def check(self) -> None:
        """Raises TransientError if a model has no warm replica."""
        await asyncio.gather(*(call(model.status, timeout_s=PROBE_TIMEOUT_S) for model in self._models))

    async def reports(self) -> list[ModelReport]:
        """What the replicas say that answer. Each call reaches one at random, so one of many may be missing."""
        calls = [(model, call(model.status, timeout_s=PROBE_TIMEOUT_S)) for model in self._models for _ in range(ASKED)]
        answers = await asyncio.gather(*(answer for _, answer in calls), return_exceptions=True)
        found = {
            answer[0]: _report(model.deployment_name, *answer)
            for (model, _), answer in zip(calls, answers, strict=True)
            if not isinstance(answer, BaseException)
        }
        return sorted(found.values(), key=lambda report: (report.deployment, report.replica))


def _report(deployment: str, replica: str, status: ModelStatus | None) -> ModelReport:
    if status is None:
        return ModelReport(deployment, replica, None, None, None)
    refused = None if status.refusal is None else " ".join(str(status.refusal.reason).split())
    return ModelReport(deployment, replica, status.revision, status.since, refused)
