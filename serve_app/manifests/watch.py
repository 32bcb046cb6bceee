"""`invoices watch` on Kubernetes: Pods that watch buckets and SFTP servers."""

from collections.abc import Iterator

from serve_app.manifests.cluster_resources import from_monitoring, metrics_service, service_monitor
from serve_app.manifests.objects import Object, ingress_policy, labels, new_object
from serve_app.manifests.pods import (
    METRICS,
    container_security,
    environment,
    mounts,
    pod_settings,
    resources,
    volumes,
)
from serve_app.manifests.values import Values, Watch

_PART = "-watch"
_STOP_SECONDS = 60


def watch_objects(values: Values, watch: Watch) -> Iterator[Object]:
    """Only Prometheus reaches these Pods. One at a time watches a folder; another one takes over."""
    name, selected = f"{values.name}{_PART}", labels(values, _PART)
    yield ingress_policy(values, name, from_monitoring(values), part=_PART)
    if values.monitoring_namespace:
        yield metrics_service(values, _PART)
        yield service_monitor(values, _PART)
    yield new_object(values, "apps/v1", "Deployment", name, _deployment(values, watch, selected), part=_PART)


def _deployment(values: Values, watch: Watch, selected: dict[str, str]) -> Object:
    return {
        "replicas": watch.pods,
        "selector": {"matchLabels": selected},
        "template": {
            "metadata": {"labels": selected},
            "spec": {
                "containers": [_container(values, watch)],
                "volumes": volumes(values),
                **pod_settings(values, watch, selected),
                "terminationGracePeriodSeconds": _STOP_SECONDS,
            },
        },
    }


def _container(values: Values, watch: Watch) -> Object:
    container: Object = {
        "name": "watch",
        "image": values.image,
        "args": ["invoices", "watch"],
        "env": [{"name": key, "value": value} for key, value in environment(values).items()],
        "ports": [{"name": "numbers", "containerPort": METRICS}],
        "resources": resources(watch),
        "securityContext": container_security(),
        "volumeMounts": mounts(values),
    }
    if values.environment_secret:
        container["envFrom"] = [{"secretRef": {"name": values.environment_secret}}]
    return container
