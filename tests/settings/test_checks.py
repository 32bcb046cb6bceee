"""Settings that are valid each but not together are refused at the start, all in one message."""

import re

import pytest

from serve_app.commands.local_graph import DEFAULT_CONFIG, local_numbers, local_options, numbers_of, read_graph
from serve_app.domain.user_error import UserError
from serve_app.settings.graph import GraphNumbers
from serve_app.settings.reading import read_settings

GRAPH = numbers_of(read_graph(DEFAULT_CONFIG))


def refusal(graph: GraphNumbers | None = None, **values: float) -> str:
    with pytest.raises(UserError) as caught:
        read_settings(graph=graph, **values)
    return str(caught.value)


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"lease_seconds": 5, "heartbeat_seconds": 10}, ["HEARTBEAT_SECONDS (10)", "LEASE_SECONDS (5)"]),
        ({"lease_seconds": 19}, ["HEARTBEAT_SECONDS (10)", "LEASE_SECONDS (19)"]),
        ({"reader_page_seconds": 901}, ["READER_PAGE_SECONDS (901)", "READER_SECONDS (900)"]),
        ({"reservation_seconds": 20}, ["FETCH_SECONDS (20)", "RESERVATION_SECONDS (20)"]),
    ],
)
def test_settings_that_contradict_each_other_are_refused(values: dict[str, float], named: list[str]) -> None:
    message = refusal(None, **values)
    assert [name for name in named if name not in message] == []


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"wait_seconds": 100_000}, ["FETCH_SECONDS and WAIT_SECONDS (together 100020)", "request_timeout_s (120)"]),
        ({"wait_seconds": 70}, ["WAIT_SECONDS (70)", "Ingress's graceful_shutdown_timeout_s (70)"]),
        ({"max_held_calls": 300}, ["MAX_HELD_CALLS (300)", "max_ongoing_requests (300)"]),
        ({"stop_seconds": 26}, ["STOP_SECONDS (26)", "Dispatcher's graceful_shutdown_timeout_s (30)"]),
    ],
)
def test_settings_that_contradict_the_graph_are_refused(values: dict[str, float], named: list[str]) -> None:
    message = refusal(GRAPH, **values)
    assert [name for name in named if name not in message] == []


def test_a_graph_that_contradicts_the_settings_is_refused() -> None:
    graph = GRAPH.model_copy(update={"dispatcher_stop_s": 10, "delivery_stop_s": 10})
    message = refusal(graph)
    assert "STOP_SECONDS (20)" in message
    assert "WEBHOOK_SECONDS (10)" in message


def test_all_contradictions_stand_in_one_message() -> None:
    message = refusal(GRAPH, lease_seconds=5, reader_page_seconds=901, wait_seconds=200, stop_seconds=60)
    assert len(message.splitlines()) == 1
    assert re.findall(r"([A-Z_]+) \(", message) == [
        *("HEARTBEAT_SECONDS", "LEASE_SECONDS", "READER_PAGE_SECONDS", "READER_SECONDS"),
        *("WAIT_SECONDS", "WAIT_SECONDS", "STOP_SECONDS"),
    ]


def test_the_default_settings_fit_the_graph_of_several_machines_and_that_of_one() -> None:
    graph = read_graph(DEFAULT_CONFIG)
    for numbers in (GRAPH, local_numbers(graph, 8010)):
        assert read_settings(graph=numbers).graph == numbers


def test_on_one_machine_the_dispatcher_is_given_the_time_that_it_takes_to_stop() -> None:
    graph = read_graph(DEFAULT_CONFIG)
    options, numbers = local_options(graph), local_numbers(graph, 8010)
    assert options["Dispatcher"]["graceful_shutdown_timeout_s"] == numbers.dispatcher_stop_s
    assert options["Delivery"]["graceful_shutdown_timeout_s"] == numbers.delivery_stop_s
    assert read_settings().stop_seconds + 5 <= numbers.dispatcher_stop_s


def test_what_is_wrong_with_single_settings_is_one_message_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEASE_SECONDS", "-1")
    monkeypatch.setenv("RATE_LIMIT", "many")
    message = refusal()
    assert "LEASE_SECONDS: Input should be greater than 0" in message
    assert "RATE_LIMIT: Input should be a valid integer" in message


def test_the_earlier_name_of_two_settings_is_refused_with_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALLOWED_NETWORKS", "10.0.0.0/8")
    message = refusal()
    assert "FILE_URL_NETWORKS" in message
    assert "WEBHOOK_NETWORKS" in message
