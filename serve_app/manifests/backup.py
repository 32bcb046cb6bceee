"""`invoices backup` and restore drills on Kubernetes: a Pod at the times of a schedule."""

from collections.abc import Iterator

from serve_app.manifests.objects import Object, ingress_policy, labels, new_object
from serve_app.manifests.pods import container_security, environment, mounts, pod_settings, resources, volumes
from serve_app.manifests.values import Backup, Values

_TRIES = 2


def backup_objects(values: Values, backup: Backup) -> Iterator[Object]:
    """Nothing reaches these Pods. One that is still at work is not overtaken."""
    kept = {"daily": backup.keep_daily, "weekly": backup.keep_weekly, "monthly": backup.keep_monthly}
    options = [f"--keep-{period}={count}" for period, count in kept.items()]
    yield from _scheduled(values, backup, "backup", backup.schedule, [backup.place, *options])
    if backup.drill:
        yield from _scheduled(values, backup, "drill", backup.drill, ["drill", backup.place])


def _scheduled(values: Values, backup: Backup, name: str, schedule: str, arguments: list[str]) -> Iterator[Object]:
    part = f"-{name}"
    yield ingress_policy(values, f"{values.name}{part}", [], part=part)
    container = _container(values, backup, name, ["invoices", "backup", *arguments])
    spec = {
        "schedule": schedule,
        "concurrencyPolicy": "Forbid",
        "jobTemplate": {"spec": {"backoffLimit": _TRIES, "template": _pod(values, backup, container, part)}},
    }
    yield new_object(values, "batch/v1", "CronJob", f"{values.name}{part}", spec, part=part)


def _pod(values: Values, backup: Backup, container: Object, part: str) -> Object:
    selected = labels(values, part)
    return {
        "metadata": {"labels": selected},
        "spec": {
            "restartPolicy": "Never",
            "containers": [container],
            "volumes": volumes(values),
            **pod_settings(values, backup, selected),
        },
    }


def _container(values: Values, backup: Backup, name: str, arguments: list[str]) -> Object:
    container: Object = {
        "name": name,
        "image": values.image,
        "args": arguments,
        "env": [{"name": key, "value": value} for key, value in environment(values).items()],
        "resources": resources(backup),
        "securityContext": container_security(),
        "volumeMounts": mounts(values),
    }
    if values.environment_secret:
        container["envFrom"] = [{"secretRef": {"name": values.environment_secret}}]
    return container
