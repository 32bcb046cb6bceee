"""Several deployments in one process, for a service on one machine: each process of Serve takes 60 MB and, at rest, a
hundredth of a core."""

from collections.abc import Mapping
from inspect import isawaitable
from typing import Any

from ray import serve
from ray.serve.handle import DeploymentHandle

from actors.delivery import Delivery
from actors.dispatcher import Dispatcher
from actors.extractor import Extractor
from actors.mailroom import Mailroom
from actors.reader import Reader
from actors.reconciler import Reconciler
from actors.verifier import Verifier
from serve_app.domain.model_pairs import Shadow
from serve_app.settings import Settings
from serve_app.wiring.telemetry import start_telemetry

MODELS = {"Extractor": Extractor, "Verifier": Verifier}
COORDINATED = ("Reconciler", "Delivery", "Dispatcher", "Mailroom")
HOSTED = ("Reader", *MODELS, *COORDINATED)
Models = tuple[Any, ...]
"""Handles of extractor and verifier."""


class HostedHandle:
    """A deployment that runs in the worker's process, called like one with replicas of its own."""

    def __init__(self, worker: Any, deployment_name: str) -> None:
        """`worker` is bound by Serve: an `Application` where the graph is built, a `DeploymentHandle` in a replica."""
        self.deployment_name = deployment_name
        self._worker = worker

    def __getattr__(self, method: str) -> "_Remote":
        # Pickle asks for private ones before any attribute is set.
        if method.startswith("_"):
            raise AttributeError(method)
        return _Remote(self._worker.run, self.deployment_name, method)


class _Remote:
    def __init__(self, run: Any, *path: str) -> None:
        self._run = run
        self._path = path

    def remote(self, *arguments: object, **options: object) -> Any:
        return self._run.remote(*self._path, *arguments, **options)


class LocalHandle:
    """A deployment in the same process, called without Serve."""

    def __init__(self, actor: object) -> None:
        self._actor = actor

    def __getattr__(self, method: str) -> "_Local":
        return _Local(getattr(self._actor, method))


class _Local:
    def __init__(self, method: Any) -> None:
        self._method = method

    async def remote(self, *arguments: object, **options: object) -> Any:
        return await _awaited(self._method(*arguments, **options))


async def _awaited(answer: Any) -> Any:
    return await answer if isawaitable(answer) else answer


class _Hosting:
    """Runs other deployments. If one of them fails, Serve replaces all."""

    def __init__(self) -> None:
        self._actors: dict[str, Any] = {}

    async def run(self, name: str, method: str, *arguments: object, **options: object) -> Any:
        """What a `HostedHandle` calls."""
        return await _awaited(getattr(self._actors[name], method)(*arguments, **options))

    async def check_health(self) -> None:
        """Called by Serve. If it raises, Serve replaces the replica."""
        for actor in self._actors.values():
            await _awaited(actor.check_health())

    async def __del__(self) -> None:
        """Called and awaited by Serve when the replica stops: callers first."""
        for actor in reversed(self._actors.values()):
            if stop := getattr(actor, "__del__", None):
                await stop()


@serve.deployment(max_ongoing_requests=100)
class Coordinator(_Hosting):
    """All but HTTP that waits most of the time, and leaves reading, models and reconciling to other processes."""

    def __init__(
        self,
        settings: Settings,
        reader: DeploymentHandle[Any],
        models: Models,
        further: Mapping[str, Models],
        shadow: Shadow | None = None,
    ) -> None:
        """`models` are extractor and verifier, `further` those of the pairs beside them, `shadow` the one that reads
        along."""
        super().__init__()
        start_telemetry(settings, *COORDINATED)
        self._actors = _coordinated(settings, reader, models, further, shadow)


@serve.deployment(max_ongoing_requests=100)
class Worker(_Hosting):
    """Reads, extracts and delivers."""

    def __init__(self, settings: Settings, *, preloads_ocr: bool) -> None:
        """`preloads_ocr` as for the Reader."""
        super().__init__()
        start_telemetry(settings, *HOSTED)
        self._settings = settings
        self._actors = {"Reader": _made(Reader, settings, preloads_ocr=preloads_ocr)}
        reader = LocalHandle(self._actors["Reader"])
        for name, model in MODELS.items():
            self._actors[name] = _made(model, settings, reader, name=name)

    async def reconfigure(self, user_config: Mapping[str, dict[str, Any]]) -> None:
        """Called by Serve at the start and at each change: the `user_config` of each model."""
        for name in MODELS:
            await self._actors[name].reconfigure(user_config[name])
        if "Dispatcher" not in self._actors:
            self._start_loops()

    def _start_loops(self) -> None:
        """Once there are models, because the loops claim at once."""
        reader, *models = (LocalHandle(self._actors[name]) for name in ("Reader", *MODELS))
        self._actors |= _coordinated(self._settings, reader, tuple(models), {})


def _coordinated(
    settings: Settings, reader: Any, models: Models, further: Mapping[str, Models], shadow: Shadow | None = None
) -> dict[str, Any]:
    """The actors of `COORDINATED`, each before those that call it."""
    reconciler = _made(Reconciler, settings, *models, further)
    delivery = _made(Delivery, settings)
    local = LocalHandle(reconciler), LocalHandle(delivery)
    dispatcher = _made(Dispatcher, settings, reader, *local, tuple(further), shadow)
    mailroom = _made(Mailroom, settings, LocalHandle(dispatcher))
    return dict(zip(COORDINATED, (reconciler, delivery, dispatcher, mailroom), strict=True))


def _made(deployment: Any, *arguments: object, **options: object) -> Any:
    """What a replica of the deployment would run."""
    return deployment.func_or_class(*arguments, **options)
