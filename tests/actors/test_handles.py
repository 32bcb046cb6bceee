"""Ray's errors become the service's own, and the service's own errors cross Ray as themselves."""

import asyncio
import pickle
from collections.abc import Awaitable, Callable
from itertools import cycle
from types import SimpleNamespace
from typing import Any, cast

import pytest
from ray.exceptions import ActorDiedError, ActorUnavailableError, RayTaskError, WorkerCrashedError
from ray.serve._private.common import DeploymentID, ReplicaState
from ray.serve.exceptions import BackPressureError, DeploymentUnavailableError, RequestCancelledError
from ray.serve.handle import DeploymentHandle

from actors.handles import ModelHandle, ModelsProbe, NotifierHandle, ReaderHandle, call
from actors.model_host import ModelStatus, Refusal
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode
from serve_app.domain.model_report import ModelReport
from serve_app.domain.packed import PackedPages
from serve_app.services.ports import TransientError
from serve_app.services.tasks.wake import Wake
from tests.support import NOON

LOST = [
    ActorDiedError(),
    ActorUnavailableError("gone", b"1" * 16),
    WorkerCrashedError(),
    BackPressureError(num_queued_requests=1, max_queued_requests=1),
    RequestCancelledError("request"),
    DeploymentUnavailableError(DeploymentID("Reader")),
]


class FakeMethod:
    """A method of a handle: `remote` gives an awaitable, as Serve's does."""

    def __init__(self, behaviour: Callable[..., Awaitable[Any]]) -> None:
        self.remote = behaviour


class FakeHandle:
    def __init__(self, behaviour: Callable[..., Awaitable[Any]]) -> None:
        self.read = self.wake = self.status = FakeMethod(behaviour)
        self.deployment_name = "Extractor"


def handle(behaviour: Callable[..., Awaitable[Any]]) -> DeploymentHandle[Any]:
    return cast("DeploymentHandle[Any]", FakeHandle(behaviour))


def raising(error: BaseException) -> DeploymentHandle[Any]:
    async def behaviour(*_: object) -> object:
        raise error

    return handle(behaviour)


def across_ray(error: Exception) -> BaseException:
    """The error as a caller in another process gets it."""
    wrapped = RayTaskError("read", "Traceback: ...", error)  # type: ignore[no-untyped-call]
    wrapped = pickle.loads(pickle.dumps(wrapped))  # noqa: S301 - our own bytes
    caught: BaseException = wrapped.as_instanceof_cause()
    return caught


@pytest.mark.parametrize("error", LOST, ids=lambda error: type(error).__name__)
async def test_a_lost_or_busy_worker_is_transient(error: Exception) -> None:
    with pytest.raises(TransientError):
        await ReaderHandle(raising(error)).read("key")
    with pytest.raises(TransientError):
        await ModelHandle(raising(error)).read([PackedPages((1,), 0, b"")])


async def test_no_answer_in_time_is_transient() -> None:
    async def never(_: object) -> None:
        await asyncio.sleep(60)

    with pytest.raises(TransientError, match="no answer"):
        await call(handle(never).read, "key", timeout_s=0.01)


async def test_a_document_error_crosses_with_its_code() -> None:
    error = across_ray(DocumentError(FailureCode.DOCUMENT_ENCRYPTED, "The PDF is encrypted."))
    with pytest.raises(DocumentError) as caught:
        await ReaderHandle(raising(error)).read("key")
    assert type(caught.value) is DocumentError
    assert caught.value.code is FailureCode.DOCUMENT_ENCRYPTED
    assert caught.value.message == "The PDF is encrypted."


async def test_any_other_error_of_a_worker_is_raised_as_it_is() -> None:
    with pytest.raises(ZeroDivisionError):
        await ReaderHandle(raising(across_ray(ZeroDivisionError("1/0")))).read("key")


@pytest.mark.parametrize("error", LOST, ids=lambda error: type(error).__name__)
async def test_a_wake_up_that_is_lost_does_no_harm(error: Exception, caplog: pytest.LogCaptureFixture) -> None:
    Wake(NotifierHandle(raising(error))).request()
    await asyncio.sleep(0.05)
    assert "not woken" in caplog.text


async def test_each_replica_that_answers_reports_its_model_and_what_it_refused() -> None:
    refused = ModelStatus("b@2", {}, NOON, Refusal({"checkpoint": "c"}, "no such\nfolder", NOON))
    answers = cycle([("r2", refused), ("r1", None)])

    async def status() -> tuple[str, ModelStatus | None]:
        return next(answers)

    reports = await ModelsProbe(handle(status), raising(ActorDiedError())).reports()
    assert reports == [
        ModelReport("Extractor", "r1", None, None, None),
        ModelReport("Extractor", "r2", "b@2", NOON, "no such folder"),
    ]


class _Model:
    """A deployment's handle that counts the calls of `status`."""

    def __init__(self, name: str) -> None:
        self.deployment_name = name
        self.calls = 0
        self.status = self

    async def remote(self) -> tuple[str, None]:
        self.calls += 1
        return "replica", None


@pytest.mark.parametrize(("may_sleep", "calls"), [(True, [1, 0]), (False, [1, 1])])
async def test_a_model_without_a_replica_is_not_woken(
    monkeypatch: pytest.MonkeyPatch, may_sleep: bool, calls: list[int]
) -> None:
    deployments = {
        # As Serve answers, and as its types say.
        "Extractor": SimpleNamespace(replica_states={"RUNNING": 1, "STARTING": 1}),
        "Verifier": SimpleNamespace(replica_states={ReplicaState.STARTING: 1, ReplicaState.RUNNING: 0}),
    }
    _running(monkeypatch, deployments)
    models = [_Model("Extractor"), _Model("Verifier")]
    await ModelsProbe(*models, may_sleep=may_sleep).check()  # type: ignore[arg-type]
    assert [model.calls for model in models] == calls


async def test_models_of_further_pairs_report_and_nobody_waits_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    states = {"Extractor-candidate": {ReplicaState.RUNNING: 1}, "Verifier-candidate": {ReplicaState.STARTING: 1}}
    _running(monkeypatch, {name: SimpleNamespace(replica_states=found) for name, found in states.items()})
    first, answering, starting = _Model("Extractor"), *map(_Model, states)
    probe = ModelsProbe(first, further=[answering, starting])  # type: ignore[arg-type,list-item]
    await probe.check()
    assert (first.calls, answering.calls, starting.calls) == (1, 0, 0)
    await probe.reports()
    assert answering.calls
    assert not starting.calls


def _running(monkeypatch: pytest.MonkeyPatch, deployments: dict[str, SimpleNamespace]) -> None:
    """Serve's status says this about the deployments."""
    status = SimpleNamespace(applications={"invoices": SimpleNamespace(deployments=deployments)})
    monkeypatch.setattr("actors.handles.serve.status", lambda: status)
    monkeypatch.setattr("actors.handles.serve.get_replica_context", lambda: SimpleNamespace(app_name="invoices"))
