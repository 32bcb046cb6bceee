"""All objects of a deployment on Kubernetes, as one text."""

from collections.abc import Iterator
from typing import Any

import yaml

from serve_app.manifests import cluster_resources
from serve_app.manifests.alarms import alarm_rules
from serve_app.manifests.backup import backup_objects
from serve_app.manifests.graph import Graph
from serve_app.manifests.mail import mail_objects
from serve_app.manifests.objects import Object
from serve_app.manifests.placement import disruption_budgets
from serve_app.manifests.ray_service import ray_service
from serve_app.manifests.redis import redis_objects
from serve_app.manifests.values import Values
from serve_app.manifests.watch import watch_objects

_HEADER = "# Made by `invoices render kubernetes`; change the values, or config/serve.yaml, and render again.\n"


def kubernetes_objects(values: Values, graph: Graph) -> Iterator[Object]:
    """What `kubectl apply` is given. The Secret is not among it: secrets are in no file."""
    if values.needs_volume:
        yield cluster_resources.volume_claim(values)
    yield cluster_resources.network_policy(values)
    yield from disruption_budgets(values)
    if values.monitoring_namespace:
        yield cluster_resources.metrics_service(values)
        yield cluster_resources.service_monitor(values)
        yield alarm_rules(values)
    if values.redis and values.redis.image:
        yield from redis_objects(values, values.redis)
    yield ray_service(values, graph)
    if values.mail:
        yield from mail_objects(values, values.mail)
    if values.watch:
        yield from watch_objects(values, values.watch)
    if values.backup:
        yield from backup_objects(values, values.backup)
    yield cluster_resources.way_in(values)


def kubernetes_text(values: Values, graph: Graph) -> str:
    """The same as YAML."""
    return _HEADER + yaml.dump_all(kubernetes_objects(values, graph), Dumper=_Dumper, sort_keys=False, width=120)


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines as they are, and nothing by reference."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Dumper.add_representer(str, _text)
