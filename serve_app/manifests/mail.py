"""`invoices mail` on Kubernetes: Pods that take mail, and the Service in front of them."""

from collections.abc import Iterator

from serve_app.manifests.objects import Object, ingress_policy, labels, new_object, tcp
from serve_app.manifests.pods import (
    container_security,
    environment,
    mounts,
    pod_settings,
    resources,
    volumes,
)
from serve_app.manifests.values import Mail, Values

PORT = 8025
_PART = "-mail"
_CERTIFICATE = "/run/secrets/mail"
_STOP_SECONDS = 60


def mail_objects(values: Values, mail: Mail) -> Iterator[Object]:
    """Anybody may send mail; nobody reaches another port of these Pods."""
    name, selected = f"{values.name}{_PART}", labels(values, _PART)
    yield ingress_policy(values, name, [{"ports": tcp(PORT)}], part=_PART)
    budget = {"maxUnavailable": 1, "selector": {"matchLabels": selected}}
    yield new_object(values, "policy/v1", "PodDisruptionBudget", name, budget, part=_PART)
    yield new_object(values, "v1", "Service", name, _service(mail, selected), annotations=mail.annotations, part=_PART)
    yield new_object(values, "apps/v1", "Deployment", name, _deployment(values, mail, selected), part=_PART)


def _service(mail: Mail, selected: dict[str, str]) -> Object:
    service: Object = {
        "type": mail.service,
        "selector": selected,
        "ports": [{"name": mail.way, "port": mail.port, "targetPort": PORT}],
    }
    if mail.service != "ClusterIP":
        # Whether a sender may use a domain is judged by its address, which must not be that of a node.
        service["externalTrafficPolicy"] = "Local"
    return service


def _deployment(values: Values, mail: Mail, selected: dict[str, str]) -> Object:
    certificate = [{"name": "certificate", "secret": {"secretName": mail.tls_secret, "defaultMode": 0o440}}]
    return {
        "replicas": mail.pods,
        "selector": {"matchLabels": selected},
        "template": {
            "metadata": {"labels": selected},
            "spec": {
                "containers": [_container(values, mail)],
                "volumes": volumes(values) + (certificate if mail.tls_secret else []),
                **pod_settings(values, mail, selected),
                "terminationGracePeriodSeconds": _STOP_SECONDS,
            },
        },
    }


def _container(values: Values, mail: Mail) -> Object:
    taking = {"tcpSocket": {"port": PORT}, "periodSeconds": 10, "timeoutSeconds": 5}
    mounted = [{"name": "certificate", "mountPath": _CERTIFICATE, "readOnly": True}] if mail.tls_secret else []
    container: Object = {
        "name": "mail",
        "image": values.image,
        "args": ["invoices", "mail"],
        "env": [{"name": key, "value": value} for key, value in _environment(values, mail).items()],
        "ports": [{"name": mail.way, "containerPort": PORT}],
        "resources": resources(mail),
        "securityContext": container_security(),
        "volumeMounts": mounts(values) + mounted,
        "livenessProbe": {**taking, "initialDelaySeconds": 30, "failureThreshold": 6},
        "readinessProbe": {**taking, "initialDelaySeconds": 5},
    }
    if values.environment_secret:
        container["envFrom"] = [{"secretRef": {"name": values.environment_secret}}]
    return container


def _environment(values: Values, mail: Mail) -> dict[str, str]:
    ways = {"MAIL_SMTP": "", "MAIL_LMTP": "", f"MAIL_{mail.way.upper()}": f"0.0.0.0:{PORT}"}
    certificate = {
        "MAIL_TLS_CERTIFICATE": f"{_CERTIFICATE}/tls.crt",
        "MAIL_TLS_KEY": f"{_CERTIFICATE}/tls.key",
    }
    return {**environment(values), **ways, **(certificate if mail.tls_secret else {})}
