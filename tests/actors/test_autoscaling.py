"""The autoscaling policy, given what Serve's controller would give it."""

from types import SimpleNamespace
from typing import Any

import pytest
from ray.serve._private.common import DeploymentID
from ray.serve.config import AutoscalingConfig, AutoscalingContext

from actors.autoscaling import BacklogPolicy, stats_of
from serve_app.domain.pace import Stage
from serve_app.services.capacity.demand import Demand

NOW = 1_000_000.0
# Name: most replicas, calls that keep one busy.
GRAPH = {
    "Ingress": (8, 100),
    "Dispatcher": (16, 8),
    "Reader": (16, 2),
    "Extractor": (4, 16),
    "Verifier": (4, 16),
    "Reconciler": (8, 2),
}
MUCH = Demand({Stage.READ: 2500, Stage.EXTRACT: 150, Stage.VERIFY: 150, Stage.RECONCILE: 120}, 1000, 1000)


def key_of(name: str) -> Any:
    return DeploymentID(name, "invoices")


def context(name: str, now: int, calls: float, metrics: dict[str, Any], fewest: int) -> AutoscalingContext:
    most, busy = GRAPH[name]
    config = AutoscalingConfig(min_replicas=fewest, max_replicas=most, target_ongoing_requests=busy)
    return AutoscalingContext(
        deployment_id=key_of(name),
        deployment_name=name,
        app_name="invoices",
        current_num_replicas=now,
        target_num_replicas=now,
        running_replicas=[],
        total_num_requests=calls,
        total_queued_requests=0.0,
        aggregated_metrics={},
        raw_metrics=metrics,
        capacity_adjusted_min_replicas=fewest,
        capacity_adjusted_max_replicas=most,
        policy_state={},
        last_scale_up_time=None,
        last_scale_down_time=None,
        current_time=NOW,
        config=config,
    )


def decided(
    demand: Demand | None, age: float = 1.0, now: dict[str, int] | None = None, calls: dict[str, float] | None = None
) -> dict[str, float]:
    """What is decided if a dispatcher told this demand `age` seconds ago."""
    stats = {} if demand is None else stats_of(demand, room=8)
    metrics = {name: {"replica": [SimpleNamespace(timestamp=NOW - age, value=value)]} for name, value in stats.items()}
    contexts = {
        key_of(name): context(
            name, (now or {}).get(name, 1), (calls or {}).get(name, 0.0), metrics if name == "Dispatcher" else {}, 1
        )
        for name in GRAPH
    }
    wanted, state = BacklogPolicy()(contexts)
    assert state == {}
    return {key.name: count for key, count in wanted.items()}


def test_a_backlog_calls_for_all_there_are() -> None:
    wanted = decided(MUCH)
    assert {name: wanted[name] for name in ("Reader", "Extractor", "Verifier", "Reconciler")} == {
        "Reader": 16,
        "Extractor": 4,
        "Verifier": 4,
        "Reconciler": 8,
    }
    # 16 readers x 2 calls, 4 models x 16, 8 reconcilers x 2: documents in progress, of which a dispatcher has eight.
    assert wanted["Dispatcher"] == (32 + 64 + 16) / 8


def test_an_empty_queue_calls_for_none() -> None:
    wanted = decided(Demand(), now=dict.fromkeys(GRAPH, 4))
    assert [wanted[name] for name in ("Reader", "Extractor", "Verifier", "Reconciler")] == [0, 0, 0, 0]
    assert wanted["Dispatcher"] == 1


def test_a_call_in_progress_keeps_one_awake() -> None:
    assert decided(Demand(), calls={"Reader": 3.0})["Reader"] == 1


def test_the_ingress_follows_its_calls() -> None:
    assert decided(MUCH, calls={"Ingress": 250.0})["Ingress"] == pytest.approx(2.5)


@pytest.mark.parametrize(("demand", "age"), [(None, 0.0), (MUCH, 61.0)])
def test_without_news_of_the_backlog_calls_decide(demand: Demand | None, age: float) -> None:
    wanted = decided(demand, age, calls={"Reader": 10.0, "Extractor": 32.0})
    assert (wanted["Reader"], wanted["Extractor"], wanted["Reconciler"]) == (5.0, 2.0, 0.0)
