"""What all objects of Kubernetes have in common."""

from typing import Any

from serve_app.manifests.values import Values

Object = dict[str, Any]


def labels(values: Values, part: str = "", *, component: str | None = None) -> dict[str, str]:
    """What all Pods of the Ray cluster have in common, or those of another part, such as `-mail`; `component`: only the
    objects of this kind in it."""
    common = {"app.kubernetes.io/name": values.name + part, "app.kubernetes.io/part-of": "invoice-extraction"}
    return common | ({"app.kubernetes.io/component": component} if component else {})


def new_object(
    values: Values,
    api: str,
    kind: str,
    name: str,
    spec: Any,
    *,
    annotations: dict[str, str] | None = None,
    component: str | None = None,
    part: str = "",
) -> Object:
    """An object of the deployment; `part` as in `labels`."""
    own = labels(values, part, component=component)
    metadata: Object = {"name": name, "namespace": values.namespace, "labels": own}
    if annotations:
        metadata["annotations"] = dict(annotations)
    return {"apiVersion": api, "kind": kind, "metadata": metadata, "spec": spec}


def ingress_policy(values: Values, name: str, rules: list[Object], *, part: str = "") -> Object:
    """A NetworkPolicy: only what `rules` names reaches the Pods of `part`."""
    spec = {"podSelector": {"matchLabels": labels(values, part)}, "policyTypes": ["Ingress"], "ingress": rules}
    return new_object(values, "networking.k8s.io/v1", "NetworkPolicy", name, spec, part=part)


def tcp(*ports: int) -> list[Object]:
    """As a NetworkPolicy names them."""
    return [{"protocol": "TCP", "port": port} for port in ports]
