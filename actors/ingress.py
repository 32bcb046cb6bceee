"""HTTP: serves the API from the store. Documents are only accepted here, never read."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

from fastapi import FastAPI
from ray import serve
from ray.serve.handle import DeploymentHandle

from actors.handles import ModelsProbe, NotifierHandle
from actors.health import ThreadCheck
from actors.stores import open_stores
from serve_app.documents.isolation.cutter import IsolatedCutter
from serve_app.documents.isolation.probe import missing_layers
from serve_app.settings import Settings
from serve_app.system.thread_pools import WAITING
from serve_app.wiring.telemetry import start_telemetry


@serve.deployment(max_ongoing_requests=300)
@serve.ingress()
class Ingress:
    """The web application of one replica. It wakes `dispatcher` for every accepted document and `mailroom` for every
    mail, and is ready only while `models` are ready."""

    def __init__(
        self,
        settings: Settings,
        dispatcher: DeploymentHandle[Any],
        mailroom: DeploymentHandle[Any],
        *models: DeploymentHandle[Any],
        further: Mapping[str, tuple[DeploymentHandle[Any], ...]] | None = None,
    ) -> None:
        """`further` are the models of the pairs beside the first one, by the pair's name."""
        start_telemetry(settings, "Ingress")
        self._settings = settings
        self._notifier = NotifierHandle(dispatcher)
        self._mailroom = NotifierHandle(mailroom)
        first = {model.deployment_name for model in models}
        self._pairs = tuple(further or ())
        others = {model.deployment_name: model for pair in (further or {}).values() for model in pair}
        self._models = ModelsProbe(
            *models,
            further=[model for name, model in others.items() if name not in first],
            may_sleep=settings.graph is not None and not settings.graph.fewest_models,
        )
        self._opened: list[Callable[[], Awaitable[None]]] = []
        self._threads = ThreadCheck()

    def __serve_build_asgi_app__(self) -> FastAPI:
        """Called by Serve in the replica: the application cannot be pickled, so it is built where it runs, and imported
        only there."""
        from actors.application import create_application
        from serve_app.wiring.services import build_services

        store, files = open_stores(self._settings, "Ingress")
        self._threads = ThreadCheck(store)
        options = self._settings.read_options()
        cutter = IsolatedCutter(options)
        services = build_services(
            store,
            files,
            self._notifier,
            cutter,
            self._models.check,
            self._settings,
            # Where readers run, if the machines are alike; each reader checks its own.
            sandbox_missing=tuple(missing_layers(options)),
            reports=self._models.reports,
            mailroom=self._mailroom,
            pairs=self._pairs,
        )
        self._opened = [
            *(services.finish, partial(WAITING.run, cutter.close)),
            *(files.close, store.connection.close),
        ]
        self._wait = services.wait
        return create_application(services)

    async def look(self) -> None:
        """Called by dispatchers: a run has ended, perhaps one that a call held here waits for."""
        self._wait.wake()

    async def check_health(self) -> None:
        """Called by Serve. If it raises, Serve replaces the replica."""
        self._threads.check()

    async def __del__(self) -> None:
        """Called and awaited by Serve when the replica stops."""
        for close in self._opened:
            await close()
