"""What surrounds the Ray cluster: the way in, the walls, the disk, and where Prometheus finds the numbers."""

from serve_app.manifests.objects import component_label, ingress_policy, new_object, tcp
from serve_app.manifests.pods import HTTP, METRICS, Object, labels, volume_name
from serve_app.manifests.ray_service import service_name
from serve_app.manifests.values import Values

_DASHBOARD = 8265


def ingress(values: Values) -> Object:
    """From the internet to the Pods that take calls, by TLS only."""
    backend = {"service": {"name": service_name(values), "port": {"name": "serve"}}}
    return new_object(
        values,
        "networking.k8s.io/v1",
        "Ingress",
        values.name,
        {
            "ingressClassName": values.ingress.class_name,
            "tls": [{"hosts": [values.ingress.host], "secretName": values.ingress.tls_secret}],
            "rules": [
                {
                    "host": values.ingress.host,
                    "http": {"paths": [{"path": "/", "pathType": "Prefix", "backend": backend}]},
                }
            ],
        },
        annotations=values.ingress.annotations,
    )


def network_policy(values: Values) -> Object:
    """Whoever reaches a port of Ray may run code, if it has the token. So only the Pods themselves reach all of them.
    The controller of the Ingress reaches HTTP, KubeRay also the head's dashboard, Prometheus the numbers."""
    operator = {"from": [_namespace(values.operator_namespace)], "ports": tcp(HTTP, _DASHBOARD)}
    rules: list[Object] = [
        {"from": [{"podSelector": {"matchLabels": labels(values)}}]},
        {"from": [_namespace(values.ingress.namespace)], "ports": tcp(HTTP)},
        operator,
        *from_monitoring(values),
    ]
    return ingress_policy(values, values.name, rules)


def from_monitoring(values: Values) -> list[Object]:
    """The rule by which Prometheus reaches the numbers, if there is one."""
    if not values.monitoring_namespace:
        return []
    return [{"from": [_namespace(values.monitoring_namespace)], "ports": tcp(METRICS)}]


def disruption_budget(values: Values) -> Object:
    """One Pod at a time may be moved, so that of two replicas one is always there."""
    return new_object(
        values,
        "policy/v1",
        "PodDisruptionBudget",
        values.name,
        {"maxUnavailable": 1, "selector": {"matchLabels": labels(values)}},
    )


def volume_claim(values: Values) -> Object:
    """The disk of SQLite, or of a folder of files. Of several Pods all must be able to write to it."""
    mode = "ReadWriteOnce" if values.is_one_pod else "ReadWriteMany"
    spec: Object = {"accessModes": [mode], "resources": {"requests": {"storage": values.volume.size}}}
    if values.volume.storage_class:
        spec["storageClassName"] = values.volume.storage_class
    return new_object(values, "v1", "PersistentVolumeClaim", volume_name(values), spec)


def metrics_service(values: Values, part: str = "") -> Object:
    """All Pods of a part, by their own addresses: each tells its own numbers, also while it takes no calls."""
    return new_object(
        values,
        "v1",
        "Service",
        _metrics_name(values, part),
        {
            "clusterIP": "None",
            "publishNotReadyAddresses": True,
            "selector": labels(values, part),
            "ports": [{"name": "numbers", "port": METRICS, "targetPort": METRICS}],
        },
        component="metrics",
        part=part,
    )


def service_monitor(values: Values, part: str = "") -> Object:
    """Tells Prometheus' operator to read them."""
    selector = {"matchLabels": labels(values, part) | component_label("metrics")}
    return new_object(
        values,
        "monitoring.coreos.com/v1",
        "ServiceMonitor",
        _metrics_name(values, part),
        {"selector": selector, "endpoints": [{"port": "numbers", "interval": "15s"}]},
        part=part,
    )


def _metrics_name(values: Values, part: str) -> str:
    return f"{values.name}{part}-metrics"


def _namespace(name: str) -> Object:
    return {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": name}}}
