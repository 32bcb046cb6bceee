"""The stores of a replica."""

import ray

from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.store.factory import open_files, open_store
from serve_app.store.sqlite.placement import refuse_many_nodes


def check_placement(settings: Settings) -> None:
    """ValueError where the settings name a store of one machine and the cluster has several: each node would have a
    database of its own. Nothing is known where there is no Ray yet."""
    if not ray.is_initialized():
        return
    alive = sum(bool(node["Alive"]) for node in ray.nodes())  # type: ignore[no-untyped-call]
    refuse_many_nodes(settings.database_url, alive)


def open_stores(settings: Settings) -> tuple[Store, Files]:
    """Open both, once per replica. ValueError as `check_placement`, or where a URL names nothing that there is."""
    check_placement(settings)
    return open_store(settings), open_files(settings)
