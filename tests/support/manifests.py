"""Values of deployments on Kubernetes."""

from pathlib import Path
from typing import Any

import yaml

from serve_app.manifests.values import Values

FOLDER = Path(__file__).parents[2] / "deploy" / "kubernetes"
_GATEWAY = {"name": "public", "namespace": "gateways", "listener": "https"}
_PLACEMENT = {
    "node_selector": {"pool": "invoices"},
    "tolerations": [{"key": "dedicated", "operator": "Equal", "value": "invoices", "effect": "NoSchedule"}],
    "affinity": {
        "nodeAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": {
                "nodeSelectorTerms": [{"matchExpressions": [{"key": "arch", "operator": "In", "values": ["amd64"]}]}]
            }
        }
    },
    "priority_class": "important",
}
_SPREAD = {"spread": [{"over": "topology.kubernetes.io/zone"}, {"over": "kubernetes.io/hostname", "required": True}]}


def with_all_parts() -> Values:
    """The example of a cluster with everything that can be added, each part where its values say."""
    cluster = yaml.safe_load((FOLDER / "values.yaml").read_text())
    return Values.model_validate(cluster | everything(cluster))


def everything(cluster: dict[str, Any]) -> dict[str, Any]:
    """What can be added to the values of a cluster."""
    size = {"cpu": 1, "memory": "1Gi", **_PLACEMENT, **_SPREAD}
    return {
        "head": {**cluster["head"], **_PLACEMENT, "evictable": False},
        "workers": [{**group, **_PLACEMENT, **_SPREAD} for group in cluster["workers"]],
        "files": "folder",
        "volume": {"size": "10Gi", "storage_class": "fast"},
        "redis": {"image": cluster["image"], "volume": {"size": "2Gi", "storage_class": "fast"}, **_PLACEMENT},
        "mail": {**size, "tls_secret": "mail-tls"},
        "watch": size,
        "backup": {**size, "place": "s3://copies/invoices"},
        "ingress": {"host": "invoices.example.com", "gateway": _GATEWAY, "namespace": "envoy-gateway-system"},
        "environment_secret": "aws",
        "image_pull_secrets": ["registry"],
        "service_account": "invoices",
        "monitoring_labels": {"release": "prometheus"},
        "docs_url": "https://docs.example.org/invoices",
    }


def changed(values: Values, **changes: Any) -> Values:
    """The same deployment with other values."""
    return Values.model_validate(values.model_dump() | changes)
