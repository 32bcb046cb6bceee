"""A store of one machine is refused on a cluster of several."""

from pathlib import Path

import pytest

from actors import stores
from serve_app.settings import Settings


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
