"""A store of one machine is refused on a cluster of several."""

import threading
from pathlib import Path

import pytest

from actors import stores
from serve_app.domain.user_error import UserError
from serve_app.settings import Settings
from serve_app.system.folder_lock import SERVICE_ID


@pytest.fixture(autouse=True)
def _on_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ray.is_initialized", lambda: True)


def cluster(*alive: bool) -> list[dict[str, bool]]:
    return [{"Alive": is_alive} for is_alive in alive]


@pytest.mark.parametrize("nodes", [cluster(True), cluster(True, False, False)])
def test_one_living_node_may_have_a_file(
    nodes: list[dict[str, bool]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("ray.nodes", lambda: nodes)
    stores.check_placement(Settings(database_url=f"sqlite:///{tmp_path}/x.db"))


def test_two_nodes_may_not(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("ray.nodes", lambda: cluster(True, True))
    with pytest.raises(ValueError, match="has 2 nodes; use MongoDB"):
        stores.open_stores(Settings(database_url=f"sqlite:///{tmp_path}/x.db"), "Dispatcher")
    assert list(tmp_path.iterdir()) == []


def test_a_server_serves_any_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ray.nodes", lambda: cluster(True, True, True))
    stores.check_placement(Settings(database_url="mongodb://host/invoices"))


def test_no_replica_is_started_on_files_of_another_deployment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(SERVICE_ID, "this")

    def settings_of(name: str) -> Settings:
        folder = tmp_path / name
        database, mail = f"sqlite:///{folder}/x.db", str(folder / "mail")
        return Settings(database_url=database, mail_folder=mail, files_url=str(tmp_path / "files"))

    for _ in range(2):
        stores.check_alone(settings_of("one"))
    with pytest.raises(UserError, match="belongs to another deployment"):
        stores.check_alone(settings_of("two"))


async def test_deployments_of_one_process_share_a_store_until_the_last_one_has_closed_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("ray.nodes", lambda: cluster(True))
    monkeypatch.setenv(SERVICE_ID, "this")
    settings = Settings(
        database_url=f"sqlite:///{tmp_path}/x.db",
        files_url=str(tmp_path / "files"),
        mail_folder=str(tmp_path / "mail"),
    )
    one, _ = stores.open_stores(settings, "Delivery")
    threads = threading.active_count()
    other, _ = stores.open_stores(settings, "Dispatcher")
    assert threading.active_count() == threads
    await one.connection.close()
    await other.connection.ping()
    await other.connection.close()
    with pytest.raises(RuntimeError, match="closed"):
        await other.connection.ping()
