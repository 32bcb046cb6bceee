"""Replicas by the backlog: the application's autoscaling policy in config/serve.yaml (ADR 0060).

It runs in Serve's controller several times a second, so it asks nobody: every dispatcher has told the controller what
the backlog needs (`Dispatcher.record_autoscaling_stats`).
"""

from collections.abc import Mapping
from typing import Any

from ray.serve.autoscaling_policy import replica_queue_length_autoscaling_policy
from ray.serve.config import AutoscalingContext

from serve_app.domain.pace import Stage
from serve_app.services.capacity.demand import Demand, Rule, dispatchers

_DISPATCHER = "Dispatcher"
_STAGES = {
    "Reader": Stage.READ,
    "Extractor": Stage.EXTRACT,
    "Verifier": Stage.VERIFY,
    "Reconciler": Stage.RECONCILE,
}
_FRESH_SECONDS = 60.0

Contexts = Mapping[Any, AutoscalingContext]


def stats_of(demand: Demand, room: int) -> dict[str, float]:
    """The demand as a dispatcher with `room` for documents tells it to the controller."""
    work = {str(stage): demand.work.get(stage, 0.0) for stage in Stage}
    return {**work, "documents": demand.documents, "pages": demand.pages, "waited": demand.waited, "room": room}


class BacklogPolicy:
    """Workers as `Rule` says; as many dispatchers as keep them busy. A deployment's `target_ongoing_requests` is how
    many calls keep one replica busy. Everything else, and everything while no dispatcher has told anything for a
    minute, follows the calls in progress, as Serve does by itself."""

    def __init__(self, **rule: float) -> None:
        """`rule` are the `policy_kwargs`: values of `Rule`."""
        self._rule = Rule(**rule)

    def __call__(self, contexts: Contexts) -> tuple[dict[Any, float], dict[Any, dict[str, Any]]]:
        """The number of replicas of each deployment, before Serve applies its bounds and delays."""
        by_name = {context.deployment_name: context for context in contexts.values()}
        reported = _latest(by_name[_DISPATCHER]) if _DISPATCHER in by_name else None
        target = {name: _by_calls(context) for name, context in by_name.items()}
        if reported is not None:
            target |= self._by_backlog(by_name, reported)
        return {key: target[context.deployment_name] for key, context in contexts.items()}, {}

    def _by_backlog(self, by_name: Mapping[str, AutoscalingContext], reported: Mapping[str, float]) -> dict[str, float]:
        workers = {
            name: self._workers(by_name[name], stage, reported) for name, stage in _STAGES.items() if name in by_name
        }
        calls = {name: count * _calls(by_name[name]) for name, count in workers.items()}
        # Both models read a document at the same time.
        models = max(calls.pop("Extractor", 0.0), calls.pop("Verifier", 0.0))
        needed = dispatchers(int(reported["documents"]), models + sum(calls.values()), int(reported["room"]))
        return {**workers, _DISPATCHER: max(1, needed)}

    def _workers(self, context: AutoscalingContext, stage: Stage, reported: Mapping[str, float]) -> int:
        at_once = reported["pages"] if stage is Stage.READ else reported["documents"]
        target = self._rule.workers(reported[stage], at_once, reported["waited"], context.target_num_replicas)
        target = min(target, context.capacity_adjusted_max_replicas)
        # Such as pictures of pages for a model, or a document that was claimed just now.
        return target or min(1, int(context.total_num_requests))


def _latest(context: AutoscalingContext) -> Mapping[str, float] | None:
    """What a dispatcher has told last, if that is not too long ago."""
    metrics = context.raw_metrics or {}
    ends = {replica: series[-1].timestamp for replica, series in metrics.get("room", {}).items() if series}
    if not ends or (context.current_time or 0.0) - max(ends.values()) > _FRESH_SECONDS:
        return None
    newest = max(ends, key=lambda replica: ends[replica])
    return {name: found[newest][-1].value for name, found in metrics.items() if found.get(newest)}


def _by_calls(context: AutoscalingContext) -> float:
    target, _ = replica_queue_length_autoscaling_policy(context)
    return target


def _calls(context: AutoscalingContext) -> float:
    calls: float = context.config.get_target_ongoing_requests() if context.config else 1.0
    return calls
