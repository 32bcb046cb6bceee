"""The stores of a replica."""

import asyncio
import logging
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import ray

from serve_app.domain.errors import ServiceError
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.store.factory import open_files, open_store
from serve_app.store.sqlite.engine.placement import refuse_many_nodes
from serve_app.store.timed import timed_store
from serve_app.system.folder_lock import SERVICE_ID, keep_folders_locked, lock_folders
from serve_app.system.ports import refuse_shared_port
from serve_app.telemetry.roles import observed_operations
from serve_app.wiring.files import claim_files

log = logging.getLogger(__name__)


def check_placement(settings: Settings) -> None:
    """Raises UserError if the settings name a single-machine store and the cluster has several nodes: each node would
    have its own database."""
    refuse_many_nodes(settings.database_url, count_nodes())


def check_alone(settings: Settings) -> None:
    """Raises UserError if another service works in a folder of this one or on its port, or if another deployment has
    its file store, before any replica is started; the replicas hold the folders. Does nothing if Ray is not initialized
    yet."""
    if not ray.is_initialized():
        return
    if settings.graph is not None:
        refuse_shared_port(settings.graph.port)
    with lock_folders(settings.local_folders, service_id(), settings.port):
        _claim_files(settings)


def _claim_files(settings: Settings) -> None:
    # In a thread: the caller may have an event loop of its own.
    with ThreadPoolExecutor(1) as pool:
        try:
            pool.submit(asyncio.run, claim_files(settings)).result()
        except ServiceError as error:
            # Housekeeping asks again before it deletes anything.
            log.warning("whose the file store is could not be checked: %s", error)


def count_nodes() -> int:
    """How many live nodes the Ray cluster has; 1 if Ray is not initialized yet."""
    if not ray.is_initialized():
        return 1
    return sum(bool(node["Alive"]) for node in ray.nodes())  # type: ignore[no-untyped-call]


def service_id() -> str:
    """The same in all processes of this service: given by the command that started it, or that of Ray's node, since a
    data folder belongs to one node."""
    given = os.environ.get(SERVICE_ID)
    return given or str(ray.get_runtime_context().get_node_id())


def open_stores(settings: Settings, deployment: str) -> tuple[Store, Files]:
    """Open both, once per replica of the deployment. Deployments of one process share the connections of the database.
    Raises UserError as `check_placement` does, if a URL names no known kind, or if another service works in a folder of
    this one."""
    check_placement(settings)
    keep_folders_locked(settings.local_folders, service_id(), settings.port)
    store = timed_store(_share(settings), observed_operations(deployment))
    return store, open_files(settings)


class _SharedConnection:
    """Closes the store once each of its users has closed it."""

    def __init__(self, url: str, store: Store) -> None:
        self._url = url
        self._store = store
        self._users = 0

    def use(self) -> Store:
        """The store for one more user."""
        self._users += 1
        return replace(self._store, connection=self)

    async def ping(self) -> None:
        await self._store.connection.ping()

    async def close(self) -> None:
        self._users -= 1
        if self._users == 0:
            del _open[self._url]
            await self._store.connection.close()


_open: dict[str, _SharedConnection] = {}
"""By the URL of the database."""


def _share(settings: Settings) -> Store:
    url = settings.database_url
    if url not in _open:
        _open[url] = _SharedConnection(url, open_store(settings))
    return _open[url].use()
