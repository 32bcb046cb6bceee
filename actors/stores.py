"""The stores of a replica."""

import os

import ray

from serve_app.folder_lock import SERVICE_ID, held_folder, keep_folder
from serve_app.ports import refuse_shared_port
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.store.factory import open_files, open_store
from serve_app.store.sqlite.placement import refuse_many_nodes
from serve_app.telemetry.roles import told_operations
from serve_app.telemetry.store import timed_store


def check_placement(settings: Settings) -> None:
    """Raises UserError if the settings name a single-machine store and the cluster has several nodes: each node would
    have its own database."""
    refuse_many_nodes(settings.database_url, count_nodes())


def check_alone(settings: Settings) -> None:
    """Raises UserError if another service works in the data folder or on the port, before any replica is started; the
    replicas hold the folder. Does nothing if Ray is not initialized yet."""
    if not ray.is_initialized():
        return
    if settings.graph is not None:
        refuse_shared_port(settings.graph.port)
    with held_folder(settings, service_id()):
        pass


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
    """Open both, once per replica of the deployment. Raises UserError as `check_placement` does, if a URL names no
    known kind, or if another service works in the data folder."""
    check_placement(settings)
    keep_folder(settings, service_id())
    store = timed_store(open_store(settings), told_operations(deployment))
    return store, open_files(settings)
