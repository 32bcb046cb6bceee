"""The stores of a replica."""

import ray

from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.store.factory import open_files, open_store
from serve_app.store.sqlite.placement import refuse_many_nodes


def check_placement(settings: Settings) -> None:
    """Raises ValueError if the settings name a single-machine store and the cluster has several nodes: each node would
    have its own database. Does nothing if Ray is not initialized yet."""
    if not ray.is_initialized():
        return
    alive = sum(bool(node["Alive"]) for node in ray.nodes())  # type: ignore[no-untyped-call]
    refuse_many_nodes(settings.database_url, alive)


def open_stores(settings: Settings) -> tuple[Store, Files]:
    """Open both, once per replica. Raises ValueError as `check_placement` does, or if a URL names no known kind."""
    check_placement(settings)
    return open_store(settings), open_files(settings)
