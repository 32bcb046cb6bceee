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
from serve_app.domain.batch import Interpreted
from serve_app.domain.document import Document
from serve_app.domain.errors import DocumentError
from serve_app.domain.model_pairs import FIRST
from serve_app.domain.model_report import ModelReport
from serve_app.domain.packed import PackedPages, PagesRead, ReadDocument
from serve_app.domain.reading import Reading
from serve_app.services.ports import Pages, TransientError
from serve_app.system.thread_pools import WAITING
from serve_app.telemetry.tracer import traceparent

# A child of the service's logger, so that its handler and format apply here.
logger = logging.getLogger(f"serve_app.{__name__}")

# A longer call is stuck: even behind thirty pages that take the longest that a page may (Settings.reader_page_seconds).
READ_TIMEOUT_S = 3700.0
# Far longer than the largest document takes.
MODEL_TIMEOUT_S = 300.0
# A pair beside the first one that takes longer does not keep a document waiting.
FURTHER_TIMEOUT_S = 30.0
# A longer call is stuck: even with all pages of a long document behind those of others.
INTERPRET_TIMEOUT_S = 3700.0
WAKE_TIMEOUT_S = 2.0
PROBE_TIMEOUT_S = 3.0
# How often each model is asked for a report: enough to reach all of a few replicas.
PROBES_PER_MODEL = 8


async def call(method: Any, *arguments: object, timeout_s: float, trace: str | None = None) -> Any:
    """Call a deployment's method. It gets `trace`, the place in the trace, if there is one.

    Raises the method's own error unwrapped, and a DocumentError that it returns; TransientError if the replica died,
    was unreachable or full, or did not answer within `timeout_s` seconds.
    """
    options = {} if trace is None else {"trace": trace}
    try:
        result = await asyncio.wait_for(method.remote(*arguments, **options), timeout_s)
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
        place = traceparent()
        read: PagesRead = await call(
            self._handle.read, file_key, part, numbers, delay, timeout_s=READ_TIMEOUT_S, trace=place
        )
        return read


class ModelHandle:
    """A FieldModel that runs in the extractor's or the verifier's deployment."""

    def __init__(self, handle: DeploymentHandle[Any], timeout_s: float = MODEL_TIMEOUT_S) -> None:
        self._handle = handle
        self._timeout_s = timeout_s

    async def read(self, pages: Sequence[PackedPages]) -> Reading:
        reading: Reading = await call(self._handle.read, pages, timeout_s=self._timeout_s, trace=traceparent())
        return reading


class InterpreterHandle:
    """An Interpreter that runs in the reconciler deployment."""

    def __init__(self, handle: DeploymentHandle[Any]) -> None:
        self._handle = handle

    async def interpret(self, document: ReadDocument, pair: str = FIRST) -> Interpreted:
        method, place = self._handle.interpret, traceparent()
        interpreted: Interpreted = await call(method, document, pair, timeout_s=INTERPRET_TIMEOUT_S, trace=place)
        return interpreted


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


class NotifierHandle:
    """A Notifier for a deployment that polls."""

    def __init__(self, handle: DeploymentHandle[Any]) -> None:
        self._handle = handle

    async def wake(self) -> None:
        await call(self._handle.wake, timeout_s=WAKE_TIMEOUT_S)


class HeldCallsHandle:
    """A Notifier for the calls that all replicas of the ingress hold. It is only a hint: the calls also look by
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
    """Checks that each model's deployment has a replica with its model in memory: one without does not answer. If
    models `may_sleep`, those without any replica are not asked, because a call would wake them. `further` models
    report, too, but the service is ready without them."""

    def __init__(
        self, *models: DeploymentHandle[Any], further: Sequence[DeploymentHandle[Any]] = (), may_sleep: bool = False
    ) -> None:
        self._models = models
        self._further = further
        self._may_sleep = may_sleep

    async def check(self) -> None:
        """Raises TransientError if a model that is awake has no warm replica."""
        await asyncio.gather(*(call(model.status, timeout_s=PROBE_TIMEOUT_S) for model in await self._awake()))

    async def reports(self) -> list[ModelReport]:
        """What the replicas say that answer. Each call reaches one at random, so one of many may be missing."""
        asked = [
            model for model in [*await self._awake(), *await self._further_awake()] for _ in range(PROBES_PER_MODEL)
        ]
        calls = [(model, call(model.status, timeout_s=PROBE_TIMEOUT_S)) for model in asked]
        answers = await asyncio.gather(*(answer for _, answer in calls), return_exceptions=True)
        found = {
            (model.deployment_name, answer[0]): _report(model.deployment_name, *answer)
            for (model, _), answer in zip(calls, answers, strict=True)
            if not isinstance(answer, BaseException)
        }
        return sorted(found.values(), key=lambda report: (report.deployment, report.replica))

    async def _awake(self) -> Sequence[DeploymentHandle[Any]]:
        if not self._may_sleep:
            return self._models
        return await _running_of(self._models)

    async def _further_awake(self) -> Sequence[DeploymentHandle[Any]]:
        return await _running_of(self._further) if self._further else ()


async def _running_of(models: Sequence[DeploymentHandle[Any]]) -> Sequence[DeploymentHandle[Any]]:
    running = await WAITING.run(_running)
    return [model for model in models if model.deployment_name in running]


def _running() -> set[str]:
    """The deployments of this application that have a replica."""
    app = serve.status().applications[serve.get_replica_context().app_name]
    # The states are members of an enumeration of texts in Serve's types, and come as plain texts.
    return {name for name, each in app.deployments.items() if each.replica_states.get("RUNNING")}  # type: ignore[call-overload]


def _report(deployment: str, replica: str, status: ModelStatus | None) -> ModelReport:
    if status is None:
        return ModelReport(deployment, replica, None, None, None)
    refused = None if status.refusal is None else " ".join(str(status.refusal.reason).split())
    return ModelReport(deployment, replica, status.revision, status.since, refused)
