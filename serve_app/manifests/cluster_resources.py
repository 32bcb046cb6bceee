"""What surrounds the Ray cluster: the way in, the walls, the disk, and where Prometheus finds the numbers."""

from serve_app.manifests.objects import Object, ingress_policy, labels, new_object, tcp
from serve_app.manifests.pods import HTTP, METRICS, volume_name
from serve_app.manifests.ray_service import service_name
from serve_app.manifests.values import Gateway, Values

_DASHBOARD = 8265
# As long as Serve holds a call.
_CALL_TIMEOUT = "120s"
# The job that the alarms name, whatever the Services are called.
_JOB = "invoices"


def way_in(values: Values) -> Object:
    """From the internet to the Pods that take calls, by TLS only."""
    return _http_route(values, values.ingress.gateway) if values.ingress.gateway else _ingress(values)


def _http_route(values: Values, gateway: Gateway) -> Object:
    spec = {
        "parentRefs": [{"name": gateway.name, "namespace": gateway.namespace, "sectionName": gateway.listener}],
        "hostnames": [values.ingress.host],
        "rules": [
            {
                "matches": [{"path": {"type": "PathPrefix", "value": "/"}}],
                "timeouts": {"request": _CALL_TIMEOUT},
                "backendRefs": [{"name": service_name(values), "port": HTTP}],
            }
        ],
    }
    return new_object(values, "gateway.networking.k8s.io/v1", "HTTPRoute", values.name, spec)


def _ingress(values: Values) -> Object:
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
    job = {"targetLabel": "job", "replacement": _JOB}
    return monitoring_object(
        values,
        "ServiceMonitor",
        _metrics_name(values, part),
        {
            "selector": {"matchLabels": labels(values, part, component="metrics")},
            "endpoints": [{"port": "numbers", "interval": "15s", "relabelings": [job]}],
        },
        part=part,
    )


def monitoring_object(values: Values, kind: str, name: str, spec: Object, *, part: str = "") -> Object:
    """An object that Prometheus' operator selects by its labels."""
    made = new_object(values, "monitoring.coreos.com/v1", kind, name, spec, part=part)
    made["metadata"]["labels"] |= values.monitoring_labels
    return made


def _metrics_name(values: Values, part: str) -> str:
    return f"{values.name}{part}-metrics"


def _namespace(name: str) -> Object:
    return {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": name}}}
