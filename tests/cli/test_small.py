"""`invoices serve` runs the configuration in few processes, in two with `--small` or on a machine with few cores."""

import pytest

from serve_app.commands import local_graph
from serve_app.commands.errors import CommandError
from serve_app.commands.local_graph import (
    DEFAULT_CONFIG,
    Graph,
    check_small,
    coordinated_options,
    fits_in_one_process,
    read_graph,
    together_options,
)


@pytest.fixture
def graph() -> Graph:
    return read_graph(DEFAULT_CONFIG)


def test_one_process_answers_http_and_the_other_has_both_models(graph: Graph) -> None:
    options = together_options(graph)
    assert set(options) == {"Ingress", "Worker"}
    assert {name: config["checkpoint"] for name, config in options["Worker"]["user_config"].items()} == {
        "Extractor": "extractor",
        "Verifier": "verifier",
    }
    assert all(config["device"] == "cpu" for config in options["Worker"]["user_config"].values())


def test_the_process_that_coordinates_stops_as_slowly_as_the_dispatcher_in_it(graph: Graph) -> None:
    options = coordinated_options(graph)
    assert options["Coordinator"] == options["Dispatcher"]
    assert options["Coordinator"]["graceful_shutdown_timeout_s"] == 30


@pytest.fixture
def further(graph: Graph) -> Graph:
    """The configuration with a second pair of models."""
    graph["applications"][0]["args"] |= {"pairs": {"candidate": ["extractor"]}}
    graph["applications"][0]["deployments"].append(
        {**graph["applications"][0]["deployments"][-2], "name": "Extractor-candidate"}
    )
    return graph


def test_further_models_are_refused_before_anything_starts(further: Graph) -> None:
    check_small(read_graph(DEFAULT_CONFIG))
    with pytest.raises(CommandError, match="--small has no room for further pairs"):
        check_small(further)


def test_two_cores_share_a_process_unless_there_are_further_models(
    further: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = read_graph(DEFAULT_CONFIG)
    monkeypatch.setattr(local_graph, "cores", lambda: 2)
    assert fits_in_one_process(plain)
    assert not fits_in_one_process(further)
    monkeypatch.setattr(local_graph, "cores", lambda: 3)
    assert not fits_in_one_process(plain)
