"""`invoices serve` runs the configuration in few processes, `--small` in two."""

import pytest

from serve_app.commands.errors import CommandError
from serve_app.commands.local_graph import DEFAULT_CONFIG, Graph, coordinated_options, read_graph, small_options


@pytest.fixture
def graph() -> Graph:
    return read_graph(DEFAULT_CONFIG)


def test_one_process_answers_http_and_the_other_has_both_models(graph: Graph) -> None:
    options = small_options(graph)
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


def test_further_models_are_refused_before_anything_starts(graph: Graph) -> None:
    graph["applications"][0]["args"] |= {"pairs": {"candidate": ["extractor"]}}
    graph["applications"][0]["deployments"].append(
        {**graph["applications"][0]["deployments"][-2], "name": "Extractor-candidate"}
    )
    with pytest.raises(CommandError, match="--small has no room for further pairs"):
        small_options(graph)
