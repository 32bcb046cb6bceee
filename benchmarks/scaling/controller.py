"""What the autoscaling decision takes in the loop of Serve's controller, by the number of replicas.

Usage: python -m benchmarks.scaling.controller

Serve's own state of the autoscaling and the service's policy, fed with reports as replicas and handles send them; no
replica runs. The rest of the controller's loop (health checks, starts, stops, routing) is not measured.
"""

import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from ray.serve._private.autoscaling_metrics_codec import FlatHandleReport
from ray.serve._private.autoscaling_state import AutoscalingStateManager
from ray.serve._private.common import (
    DeploymentHandleSource,
    DeploymentID,
    ReplicaID,
    ReplicaMetricReport,
    TimeStampedValue,
)
from ray.serve._private.config import DeploymentConfig
from ray.serve._private.deployment_info import DeploymentInfo
from ray.serve.config import AutoscalingConfig, AutoscalingPolicy

from actors.autoscaling import BacklogPolicy, stats_of
from benchmarks.store.report import table
from serve_app.domain.pace import Stage
from serve_app.services.capacity.demand import Demand

_APPLICATION, _POLICY = "invoices", "actors.autoscaling:BacklogPolicy"
_NO_REPLICA: Any = None
"""What a replica would run."""
_SIZES = (20, 100, 500)
_ROUNDS = 50
# The share of all replicas, and who calls them.
_GRAPH = {
    "Ingress": (0.02, "Ingress"),
    "Dispatcher": (0.10, "Ingress"),
    "Reader": (0.70, "Dispatcher"),
    "Reconciler": (0.10, "Dispatcher"),
    "Extractor": (0.04, "Reconciler"),
    "Verifier": (0.04, "Reconciler"),
}
_DEMAND = Demand({stage: 2_500.0 for stage in Stage}, 1_000, 1_000)
_SAMPLES = 10
"""Of each series in a report."""
_CALLED = 16
"""Replicas that one handle has calls at."""


def main() -> None:
    """Measure, and print a table."""
    rows = []
    for size in _SIZES:
        manager, targets = _state(size)
        decision = _median(partial(manager.get_decision_num_replicas, _APPLICATION, targets))
        policy = _median(partial(BacklogPolicy(), _contexts(manager, targets)))
        rows.append((size, f"{decision:.2f}", f"{policy:.2f}"))
    print(*table(["replicas", "a decision, ms", "the policy in it, ms"], rows), sep="\n")


def _contexts(manager: AutoscalingStateManager, targets: dict[DeploymentID, int]) -> dict[Any, Any]:
    states = manager._app_autoscaling_states[_APPLICATION]._deployment_autoscaling_states
    return {key: state.get_autoscaling_context(targets[key]) for key, state in states.items()}


def _median(call: Callable[[], object]) -> float:
    """Milliseconds."""
    times = []
    for _ in range(_ROUNDS):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return statistics.median(times) * 1000


def _state(size: int) -> tuple[AutoscalingStateManager, dict[DeploymentID, int]]:
    """With the reports of this many replicas."""
    manager, now = AutoscalingStateManager(), time.time()  # type: ignore[no-untyped-call]
    counts = {name: max(1, round(share * size)) for name, (share, _) in _GRAPH.items()}
    policy = AutoscalingPolicy(policy_function=_POLICY, policy_kwargs={})  # type: ignore[no-untyped-call]
    manager.register_application(_APPLICATION, policy)
    for name, count in counts.items():
        key = DeploymentID(name, _APPLICATION)
        scaling = AutoscalingConfig(min_replicas=1, max_replicas=2 * count, target_ongoing_requests=8)
        config = DeploymentConfig(autoscaling_config=scaling)
        info = DeploymentInfo(config, _NO_REPLICA, 0, "")
        manager.register_deployment(key, info, count)
        manager.update_running_replica_ids(key, [ReplicaID(f"{number}", key) for number in range(count)])
        for report in _handle_reports(key, count, counts[_GRAPH[name][1]], now):
            manager.record_columnar_metrics_for_handle(report)
    for number in range(counts["Dispatcher"]):
        manager.record_request_metrics_for_replica(_dispatcher_report(number, now))
    return manager, {DeploymentID(name, _APPLICATION): count for name, count in counts.items()}


def _handle_reports(key: DeploymentID, replicas: int, handles: int, now: float) -> Iterator[FlatHandleReport]:
    times = now - np.arange(_SAMPLES, 0, -1, dtype=np.float64)
    for handle in range(handles):
        called = [ReplicaID(f"{(handle + step) % replicas}", key) for step in range(min(_CALLED, replicas))]
        number = len(called)
        yield {
            "handle_id": f"handle-{key.name}-{handle}",
            "deployment_id": key,
            "actor_id": f"actor-{handle}",
            "handle_source": DeploymentHandleSource.REPLICA,
            "timestamp": now,
            "ts": np.tile(times, number),
            "val": np.ones(number * _SAMPLES),
            "entries": np.array([[0, place, place * _SAMPLES, _SAMPLES] for place in range(number)], dtype=np.int64),
            "mi": 0,
            "replica_keys": [replica.to_full_id_str() for replica in called],
            "q_ts": times,
            "q_val": np.ones(_SAMPLES),
        }


def _dispatcher_report(number: int, now: float) -> ReplicaMetricReport:
    replica = ReplicaID(f"{number}", DeploymentID("Dispatcher", _APPLICATION))
    stats = stats_of(_DEMAND, room=8)
    series = {
        name: [TimeStampedValue(now - age, value) for age in range(_SAMPLES, 0, -1)] for name, value in stats.items()
    }
    return ReplicaMetricReport(replica_id=replica, metrics=series, timestamp=now)


if __name__ == "__main__":
    main()
