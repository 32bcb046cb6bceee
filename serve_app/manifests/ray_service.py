"""The RayService: KubeRay's description of a Ray cluster and what Serve runs on it."""

from importlib.metadata import version

import yaml

from serve_app.manifests.graph import Graph, graph_for
from serve_app.manifests.objects import Object, labels
from serve_app.manifests.placement import HEAD, worker_component
from serve_app.manifests.pods import HTTP, container_security, pod_template
from serve_app.manifests.redis import redis_address
from serve_app.manifests.values import Values, Workers

# How long a worker waits for a head that is being replaced, and goes on answering meanwhile.
_HEAD_AWAY_SECONDS = "600"
_IDLE_SECONDS = 300


def ray_service(values: Values, graph: Graph) -> Object:
    """Everything about Ray. The configuration of Serve is in it as text, as KubeRay passes it on."""
    return {
        "apiVersion": "ray.io/v1",
        "kind": "RayService",
        "metadata": {"name": values.name, "namespace": values.namespace, "labels": labels(values)},
        "spec": {
            # A second cluster beside the first, until that one is ready; but two cannot have one SQLite database.
            "upgradeStrategy": {"type": "None" if values.database == "sqlite" else "NewCluster"},
            # Longer than a held call, so that none is cut off.
            "rayClusterDeletionDelaySeconds": 180,
            "serveService": {
                "metadata": {"name": service_name(values), "labels": labels(values)},
                "spec": {"ports": [{"name": "serve", "port": HTTP, "targetPort": HTTP}]},
            },
            "serveConfigV2": yaml.safe_dump(graph_for(graph, values), sort_keys=False, width=120),
            "rayClusterConfig": _cluster(values),
        },
    }


def service_name(values: Values) -> str:
    """The Service of all Pods that take calls."""
    return f"{values.name}-http"


def _cluster(values: Values) -> Object:
    cluster: Object = {
        "rayVersion": version("ray"),
        # A token for every port, which KubeRay makes and keeps in a Secret.
        "authOptions": {"mode": "token"},
        "headGroupSpec": {
            # With workers there are no replicas here, which could take its memory from Ray.
            "rayStartParams": {
                # KubeRay talks to it; the NetworkPolicy keeps out others.
                "dashboard-host": "0.0.0.0",  # noqa: S104
                **({} if values.is_one_pod else {"num-cpus": "0"}),
            },
            "template": pod_template(values, values.head, "ray-head", HEAD, serves=False),
        },
        "workerGroupSpecs": [_group(values, group) for group in values.workers],
    }
    if values.redis:
        cluster["gcsFaultToleranceOptions"] = _fault_tolerance(values)
    if any(group.most > group.least for group in values.workers):
        cluster |= {
            "enableInTreeAutoscaling": True,
            "autoscalerOptions": {
                "idleTimeoutSeconds": _IDLE_SECONDS,
                "securityContext": container_security(),
                "volumeMounts": [{"name": "tmp", "mountPath": "/tmp"}],  # noqa: S108 - of the Pod's own
            },
        }
    return cluster


def _group(values: Values, group: Workers) -> Object:
    template = pod_template(values, group, "ray-worker", worker_component(group.name), serves=True)
    (container,) = template["spec"]["containers"]
    container["env"].append({"name": "RAY_gcs_rpc_server_reconnect_timeout_s", "value": _HEAD_AWAY_SECONDS})
    return {
        "groupName": group.name,
        "replicas": group.least,
        "minReplicas": group.least,
        "maxReplicas": group.most,
        "rayStartParams": {},
        "template": template,
    }


def _fault_tolerance(values: Values) -> Object:
    """Ray's control store keeps what it knows in Redis, so that a new head takes over the workers of the old one."""
    assert values.redis  # noqa: S101 - the caller has looked
    options: Object = {"redisAddress": values.redis.address or redis_address(values)}
    if values.redis.has_password:
        key = {"name": values.secret, "key": "redis_password"}
        options["redisPassword"] = {"valueFrom": {"secretKeyRef": key}}
    return options
