"""`invoices backup` on Kubernetes: a Pod at the times of a schedule."""

from collections.abc import Iterator

from serve_app.manifests.objects import Object, ingress_policy, labels, new_object
from serve_app.manifests.pods import container_security, environment, mounts, pod_settings, resources, volumes
from serve_app.manifests.values import Backup, Values

_PART = "-backup"
_TRIES = 2


def backup_objects(values: Values, backup: Backup) -> Iterator[Object]:
    """Nothing reaches these Pods. One that is still at work is not overtaken."""
    name = f"{values.name}{_PART}"
    yield ingress_policy(values, name, [], part=_PART)
    spec = {
        "schedule": backup.schedule,
        "concurrencyPolicy": "Forbid",
        "jobTemplate": {"spec": {"backoffLimit": _TRIES, "template": _pod(values, backup)}},
    }
    yield new_object(values, "batch/v1", "CronJob", name, spec, part=_PART)


def _pod(values: Values, backup: Backup) -> Object:
    selected = labels(values, _PART)
    return {
        "metadata": {"labels": selected},
        "spec": {
            "restartPolicy": "Never",
            "containers": [_container(values, backup)],
            "volumes": volumes(values),
            **pod_settings(values, backup, selected),
        },
    }


def _container(values: Values, backup: Backup) -> Object:
    kept = {"daily": backup.keep_daily, "weekly": backup.keep_weekly, "monthly": backup.keep_monthly}
    container: Object = {
        "name": "backup",
        "image": values.image,
        "args": ["invoices", "backup", backup.place, *(f"--keep-{period}={count}" for period, count in kept.items())],
        "env": [{"name": key, "value": value} for key, value in environment(values).items()],
        "resources": resources(backup),
        "securityContext": container_security(),
        "volumeMounts": mounts(values),
    }
    if values.environment_secret:
        container["envFrom"] = [{"secretRef": {"name": values.environment_secret}}]
    return container
