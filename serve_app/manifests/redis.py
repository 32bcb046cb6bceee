"""A Redis for the head: one Pod with a disk, which only the Pods of the Ray cluster reach."""

from collections.abc import Iterator

from serve_app.manifests.objects import Object, ingress_policy, labels, new_object, tcp
from serve_app.manifests.placement import placement
from serve_app.manifests.pods import container_security, pod_security
from serve_app.manifests.values import Redis, Values

PORT = 6379
_PART = "-redis"
# Of the images of Redis and Valkey.
_USER = 999
_DATA = "/data"


def redis_address(values: Values) -> str:
    """Where the head finds it."""
    return f"{values.name}{_PART}.{values.namespace}.svc:{PORT}"


def redis_objects(values: Values, redis: Redis) -> Iterator[Object]:
    """It can be lost: workers go on without it, and a new head begins anew."""
    name, selected = f"{values.name}{_PART}", labels(values, _PART)
    cluster = [{"from": [{"podSelector": {"matchLabels": labels(values)}}], "ports": tcp(PORT)}]
    yield ingress_policy(values, name, cluster, part=_PART)
    ports = [{"name": "redis", "port": PORT, "targetPort": PORT}]
    yield new_object(values, "v1", "Service", name, {"selector": selected, "ports": ports}, part=_PART)
    yield new_object(values, "apps/v1", "StatefulSet", name, _stateful_set(values, redis, selected), part=_PART)


def _stateful_set(values: Values, redis: Redis, selected: dict[str, str]) -> Object:
    disk: Object = {
        "accessModes": ["ReadWriteOnce"],
        "resources": {"requests": {"storage": redis.volume.size}},
    }
    if redis.volume.storage_class:
        disk["storageClassName"] = redis.volume.storage_class
    return {
        "serviceName": f"{values.name}{_PART}",
        "replicas": 1,
        "selector": {"matchLabels": selected},
        "template": {
            "metadata": {"labels": selected},
            "spec": {
                "containers": [_container(values, redis)],
                "securityContext": pod_security(_USER),
                **placement(values, redis),
            },
        },
        "volumeClaimTemplates": [{"metadata": {"name": "data"}, "spec": disk}],
    }


def _container(values: Values, redis: Redis) -> Object:
    password = {"secretKeyRef": {"name": values.secret, "key": "redis_password"}}
    alive = {"tcpSocket": {"port": PORT}, "periodSeconds": 10, "timeoutSeconds": 5}
    size = {"cpu": "500m", "memory": "512Mi"}
    return {
        "name": "redis",
        "image": redis.image,
        # Each write is on the disk within a second, and found there after a restart.
        "args": ["redis-server", "--appendonly", "yes", "--dir", _DATA, "--requirepass", "$(REDIS_PASSWORD)"],
        "env": [{"name": "REDIS_PASSWORD", "valueFrom": password}],
        "ports": [{"name": "redis", "containerPort": PORT}],
        "resources": {"requests": size, "limits": dict(size)},
        "securityContext": container_security(),
        "volumeMounts": [{"name": "data", "mountPath": _DATA}],
        "livenessProbe": {**alive, "initialDelaySeconds": 10},
        "readinessProbe": alive,
    }
