"""On which nodes Pods run, and how a drain moves them."""

from collections.abc import Iterator

from serve_app.manifests.objects import Object, labels, new_object
from serve_app.manifests.values import Placement, Spread, Values


def placement(values: Values, part: Placement) -> Object:
    """The part of a Pod that the scheduler reads. What is unset is left out."""
    chosen: Object = {
        "nodeSelector": part.node_selector,
        "tolerations": list(part.tolerations),
        "affinity": part.affinity,
        "priorityClassName": part.priority_class,
        "imagePullSecrets": [{"name": name} for name in values.image_pull_secrets],
    }
    return {key: value for key, value in chosen.items() if value}


def spread_over(constraints: tuple[Spread, ...], selected: dict[str, str]) -> Object:
    """Pods with these labels lie apart, as far as there is room."""
    if not constraints:
        return {}
    return {
        "topologySpreadConstraints": [
            {
                "maxSkew": 1,
                "topologyKey": each.over,
                "whenUnsatisfiable": "DoNotSchedule" if each.required else "ScheduleAnyway",
                "labelSelector": {"matchLabels": selected},
            }
            for each in constraints
        ]
    }


def disruption_budgets(values: Values) -> Iterator[Object]:
    """Of each group of workers, a drain leaves all of the least number but one.

    The numbers are absolute, because Kubernetes cannot count what a RayCluster wants: it has no `scale`, so that
    `maxUnavailable` and percentages would block every drain (ADR 0172). A single Pod has no budget, for the same
    reason.
    """
    if not values.head.evictable:
        yield _budget(values, HEAD, 1)
    for group in values.workers:
        if group.least > 1:
            yield _budget(values, worker_component(group.name), group.least - 1)


HEAD = "head"
"""The component of Ray's head."""


def worker_component(group: str) -> str:
    """The component of a group of workers."""
    return f"worker-{group}"


def _budget(values: Values, component: str, least: int) -> Object:
    spec = {
        "minAvailable": least,
        "selector": {"matchLabels": labels(values, component=component)},
        # A worker without a replica is never ready.
        "unhealthyPodEvictionPolicy": "AlwaysAllow",
    }
    name = f"{values.name}-{component}"
    return new_object(values, "policy/v1", "PodDisruptionBudget", name, spec, component=component)
