"""The Serve configuration for a cluster: that of config/serve.yaml, and where its replicas lie."""

import math
from typing import Any

from serve_app.manifests.values import Values

Graph = dict[str, Any]


def graph_for(graph: Graph, values: Values) -> Graph:
    """The same configuration, with two additions. Replicas of a deployment are spread, as far as there are Pods for
    them: where there are, no two lie on one. Without GPUs the models ask for none."""
    applications = [
        {**application, "deployments": [_placed(each, values) for each in application["deployments"]]}
        for application in graph["applications"]
    ]
    return {**graph, "applications": applications}


def _placed(deployment: Graph, values: Values) -> Graph:
    placed = dict(deployment)
    options = deployment.get("ray_actor_options", {})
    if options.get("num_gpus") and not values.has_gpus:
        placed["ray_actor_options"] = {**options, "num_gpus": 0}
    if not values.is_one_pod:
        on_gpu = bool(placed.get("ray_actor_options", {}).get("num_gpus"))
        placed["max_replicas_per_node"] = math.ceil(_most(deployment) / values.nodes(with_gpu=on_gpu))
    return placed


def _most(deployment: Graph) -> int:
    most: int = deployment.get("autoscaling_config", {}).get("max_replicas") or deployment.get("num_replicas", 1)
    return most
