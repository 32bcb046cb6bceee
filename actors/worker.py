"""All deployments but HTTP in one process, for a machine with little memory: each process of Serve takes 100 MB."""

from collections.abc import Mapping
from inspect import isawaitable
from typing import Any

from ray import serve

from actors.delivery import Delivery
from actors.dispatcher import Dispatcher
from actors.extractor import Extractor
from actors.mailroom import Mailroom
from actors.reader import Reader
from actors.reconciler import Reconciler
from actors.verifier import Verifier
from serve_app.settings import Settings
from serve_app.wiring.telemetry import start_telemetry

MODELS = {"Extractor": Extractor, "Verifier": Verifier}
HOSTED = ("Reader", *MODELS, "Reconciler", "Delivery", "Dispatcher", "Mailroom")


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


@serve.deployment(max_ongoing_requests=100)
class Worker:
    """Reads, extracts and delivers. If a part of it fails, Serve replaces all."""

    def __init__(self, settings: Settings) -> None:
        start_telemetry(settings, *HOSTED)
        self._settings = settings
        self._actors: dict[str, Any] = {"Reader": _made(Reader, settings, preloads_ocr=False)}
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
        local = {name: LocalHandle(actor) for name, actor in self._actors.items()}
        reconciler = _made(Reconciler, self._settings, *(local[name] for name in MODELS))
        delivery = _made(Delivery, self._settings)
        dispatcher = _made(Dispatcher, self._settings, local["Reader"], LocalHandle(reconciler), LocalHandle(delivery))
        mailroom = _made(Mailroom, self._settings, LocalHandle(dispatcher))
        self._actors |= {
            "Reconciler": reconciler, "Delivery": delivery, "Dispatcher": dispatcher, "Mailroom": mailroom
        }  # fmt: skip

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


def _made(deployment: Any, *arguments: object, **options: object) -> Any:
    """What a replica of the deployment would run."""
    return deployment.func_or_class(*arguments, **options)
