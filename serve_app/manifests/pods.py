"""The Pods of a Ray cluster: what they run with, what they may do, how they are watched."""

from serve_app.keys.ray_environment import HAPROXY_VARIABLE, RAY_VARIABLES
from serve_app.manifests.objects import Object, labels
from serve_app.manifests.placement import placement, spread_over
from serve_app.manifests.values import Size, Values
from serve_app.telemetry.service_log import LOG_VARIABLE

HTTP = 8000
METRICS = 9464
USER = 10001
"""Of the image."""
_RAY_AGENT = 52365
_DATA = "/data"
_SECRETS = "/run/secrets/invoices"
# A Pod that stops is taken out of the Service first, and its calls are answered.
_LEAVE_SECONDS = 20
_STOP_SECONDS = 120


def pod_template(values: Values, size: Size, container: str, component: str, *, serves: bool) -> Object:
    """A Pod; `serves`: whether it takes calls only while its proxy does."""
    return {
        "metadata": {"labels": labels(values, component=component)},
        "spec": {
            "containers": [_container(values, size, container, serves=serves)],
            "volumes": volumes(values),
            **pod_settings(values, size, labels(values)),
            "terminationGracePeriodSeconds": _STOP_SECONDS,
        },
    }


def pod_settings(values: Values, size: Size, selected: dict[str, str]) -> Object:
    """Who a Pod of the service is, and where it runs: apart from others with these labels."""
    account = {"serviceAccountName": values.service_account} if values.service_account else {}
    return {
        "securityContext": pod_security(USER),
        **spread_over(size.spread, selected),
        **placement(values, size),
        **account,
    }


def pod_security(user: int) -> Object:
    """Runs as this user, and owns its volumes."""
    return {
        "runAsNonRoot": True,
        "runAsUser": user,
        "runAsGroup": user,
        "fsGroup": user,
        "fsGroupChangePolicy": "OnRootMismatch",
        "seccompProfile": {"type": "RuntimeDefault"},
    }


def container_security() -> Object:
    """No rights, and nothing can be written but the volumes."""
    return {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }


def _container(values: Values, size: Size, name: str, *, serves: bool) -> Object:
    container: Object = {
        "name": name,
        "image": values.image,
        "env": [{"name": key, "value": value} for key, value in environment(values).items()],
        "ports": _ports(is_head=not serves),
        "resources": resources(size),
        "securityContext": container_security(),
        "volumeMounts": mounts(values),
        **_probes(serves=serves),
        "lifecycle": {"preStop": {"exec": {"command": ["sleep", str(_LEAVE_SECONDS)]}}},
    }
    if values.environment_secret:
        container["envFrom"] = [{"secretRef": {"name": values.environment_secret}}]
    return container


def environment(values: Values) -> dict[str, str]:
    """KubeRay starts Ray past the image's entry point, so what that sets is set here, but for the token: KubeRay makes
    one, and the image lets no Ray start without. Secrets are files."""
    database = {"DATABASE_URL": f"sqlite:///{_DATA}/invoices.db"} if values.database == "sqlite" else {}
    files = {"folder": {"FILES_URL": f"{_DATA}/files"}, "gridfs": {"FILES_URL": "gridfs"}}.get(values.files, {})
    return {
        **RAY_VARIABLES,
        "RAY_SERVE_ENABLE_HA_PROXY": "1",
        HAPROXY_VARIABLE: "/app/actors/haproxy.sh",
        "CREDENTIALS_DIRECTORY": _SECRETS,
        "PUBLIC_URL": f"https://{values.ingress.host}",
        "METRICS_LISTEN": f"0.0.0.0:{METRICS}",
        "METRICS_FOLDER": "/tmp/metrics",  # noqa: S108 - of the Pod's own
        "MAIL_FOLDER": f"{_DATA}/mail",
        # KubeRay's own command is the first process of a Pod: what it writes is the Pod's log.
        LOG_VARIABLE: "/proc/1/fd/2",
        **database,
        **files,
        **values.settings,
    }


def _ports(*, is_head: bool) -> list[Object]:
    ray = {"gcs": 6379, "dashboard": 8265} if is_head else {}
    return [{"name": name, "containerPort": port} for name, port in {**ray, "serve": HTTP, "numbers": METRICS}.items()]


def resources(size: Size) -> Object:
    """The same as request and as limit."""
    resources: Object = {"cpu": str(size.cpu), "memory": size.memory}
    if size.gpus:
        resources["nvidia.com/gpu"] = str(size.gpus)
    return {"requests": resources, "limits": dict(resources)}


def _probes(*, serves: bool) -> Object:
    """KubeRay's own probes need programs in the image, and their readiness a proxy on each worker. These ask by HTTP:
    whether Ray lives here, and on workers whether the proxy takes calls. /readyz says whether the service does; if each
    Pod asked that, a database that is away would leave nobody to answer."""
    alive = {"httpGet": {"path": "/api/healthz", "port": _RAY_AGENT}, "periodSeconds": 5, "timeoutSeconds": 5}
    taking = {"httpGet": {"path": "/-/healthz", "port": HTTP}, "periodSeconds": 5, "timeoutSeconds": 5}
    return {
        # Ray itself ends a node that has lost its head for too long.
        "livenessProbe": {**alive, "initialDelaySeconds": 30, "failureThreshold": 24},
        "readinessProbe": {**(taking if serves else alive), "initialDelaySeconds": 10, "failureThreshold": 2},
    }


def mounts(values: Values) -> list[Object]:
    """Where `volumes` lie."""
    return [
        {"name": "data", "mountPath": _DATA},
        {"name": "tmp", "mountPath": "/tmp"},  # noqa: S108 - of the Pod's own
        {"name": "secrets", "mountPath": _SECRETS, "readOnly": True},
    ]


def volumes(values: Values) -> list[Object]:
    """What stays, what may be written, and the secrets."""
    data: Object = {"emptyDir": {}}
    if values.needs_volume:
        data = {"persistentVolumeClaim": {"claimName": volume_name(values)}}
    return [
        {"name": "data", **data},
        {"name": "tmp", "emptyDir": {}},
        {"name": "secrets", "secret": {"secretName": values.secret, "defaultMode": 0o440}},
    ]


def volume_name(values: Values) -> str:
    """The claim of the data."""
    return f"{values.name}-data"
