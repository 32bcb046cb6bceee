"""What all objects of Kubernetes have in common."""

from typing import Any

from serve_app.manifests.pods import Object, labels
from serve_app.manifests.values import Values


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
    metadata: Object = {"name": name, "namespace": values.namespace, "labels": labels(values, part)}
    if component:
        metadata["labels"] |= component_label(component)
    if annotations:
        metadata["annotations"] = dict(annotations)
    return {"apiVersion": api, "kind": kind, "metadata": metadata, "spec": spec}


def ingress_policy(values: Values, name: str, rules: list[Object], *, part: str = "") -> Object:
    """A NetworkPolicy: only what `rules` names reaches the Pods of `part`."""
    spec = {"podSelector": {"matchLabels": labels(values, part)}, "policyTypes": ["Ingress"], "ingress": rules}
    return new_object(values, "networking.k8s.io/v1", "NetworkPolicy", name, spec, part=part)


def component_label(name: str) -> dict[str, str]:
    """What tells objects of one part from each other."""
    return {"app.kubernetes.io/component": name}


def tcp(*ports: int) -> list[Object]:
    """As a NetworkPolicy names them."""
    return [{"protocol": "TCP", "port": port} for port in ports]
