"""Mail and Redis beside the Ray cluster."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from serve_app.commands.local_graph import read_graph
from serve_app.manifests.kubernetes import kubernetes_objects
from serve_app.manifests.values import Values
from serve_app.settings import Settings
from tests.support.manifests import changed

ROOT = Path(__file__).parents[2]
GRAPH = read_graph(ROOT / "config" / "serve.yaml")
IMAGE = f"valkey@sha256:{'0' * 64}"
Object = dict[str, Any]


@pytest.fixture
def cluster() -> Values:
    return Values.model_validate(yaml.safe_load((ROOT / "deploy" / "kubernetes" / "values.yaml").read_text()))


def part(values: Values, name: str) -> dict[str, Object]:
    """The objects of one part, by kind."""
    return {each["kind"]: each for each in kubernetes_objects(values, GRAPH) if each["metadata"]["name"] == name}


def environment(deployment: Object) -> dict[str, str]:
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    return {each["name"]: each["value"] for each in container["env"]}


def labels_of(pods: Object) -> Object:
    labels: Object = pods["spec"]["template"]["metadata"]["labels"]
    return labels


def test_mail_is_taken_where_the_service_sends_it(cluster: Values) -> None:
    mail = part(cluster, "invoices-mail")
    (port,) = mail["Service"]["spec"]["ports"]
    (container,) = mail["Deployment"]["spec"]["template"]["spec"]["containers"]
    assert container["args"] == ["invoices", "mail"]
    assert environment(mail["Deployment"])["MAIL_SMTP"] == f"0.0.0.0:{port['targetPort']}"
    assert environment(mail["Deployment"])["MAIL_LMTP"] == ""
    assert (port["port"], mail["Service"]["spec"]["selector"]) == (25, labels_of(mail["Deployment"]))
    # Otherwise each mail seems to come from a node of the cluster.
    assert mail["Service"]["spec"]["externalTrafficPolicy"] == "Local"


def test_what_the_pods_of_mail_get_are_settings(cluster: Values) -> None:
    variables = environment(part(cluster, "invoices-mail")["Deployment"])
    names = {name.upper() for name in Settings.model_fields}
    mail = {name: value for name, value in variables.items() if name in names}
    assert {"MAIL_SMTP", "MAIL_LMTP", "MAIL_DOMAIN", "MAIL_TLS_CERTIFICATE", "MAIL_TLS_KEY"} <= mail.keys()
    Settings.model_validate({name.lower(): value for name, value in mail.items()})


def test_a_mail_server_in_front_hands_mail_over_by_lmtp(cluster: Values) -> None:
    assert cluster.mail is not None
    behind = cluster.mail.model_copy(update={"way": "lmtp", "service": "ClusterIP", "port": 24, "tls_secret": None})
    mail = part(changed(cluster, mail=behind.model_dump()), "invoices-mail")
    variables = environment(mail["Deployment"])
    assert (variables["MAIL_SMTP"], variables["MAIL_LMTP"]) == ("", "0.0.0.0:8025")
    assert "MAIL_TLS_CERTIFICATE" not in variables
    assert "externalTrafficPolicy" not in mail["Service"]["spec"]


@pytest.mark.parametrize("name", ["invoices-mail", "invoices-redis"])
def test_a_part_opens_one_port_and_is_no_ray(cluster: Values, name: str) -> None:
    found = part(changed(cluster, redis={"image": IMAGE}), name)
    pods = found.get("Deployment") or found["StatefulSet"]
    ray = part(cluster, "invoices")["NetworkPolicy"]["spec"]
    # Pods of Ray trust each other; these are none of them.
    assert ray["podSelector"]["matchLabels"] != labels_of(pods)
    (rule,) = found["NetworkPolicy"]["spec"]["ingress"]
    (port,) = found["Service"]["spec"]["ports"]
    assert found["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"] == labels_of(pods)
    assert [each["port"] for each in rule["ports"]] == [port["targetPort"]]
    (container,) = pods["spec"]["template"]["spec"]["containers"]
    assert container["securityContext"]["readOnlyRootFilesystem"]
    assert pods["spec"]["template"]["spec"]["securityContext"]["runAsNonRoot"]


def test_the_head_finds_the_redis_that_is_rendered_and_nobody_else_does(cluster: Values) -> None:
    values = changed(cluster, redis={"image": IMAGE})
    redis = part(values, "invoices-redis")
    ray = part(values, "invoices")
    options = ray["RayService"]["spec"]["rayClusterConfig"]["gcsFaultToleranceOptions"]
    assert options["redisAddress"] == "invoices-redis.invoices.svc:6379"
    (rule,) = redis["NetworkPolicy"]["spec"]["ingress"]
    assert rule["from"] == [{"podSelector": ray["NetworkPolicy"]["spec"]["podSelector"]}]
    (container,) = redis["StatefulSet"]["spec"]["template"]["spec"]["containers"]
    assert container["env"][0]["valueFrom"] == options["redisPassword"]["valueFrom"]
    (claim,) = redis["StatefulSet"]["spec"]["volumeClaimTemplates"]
    assert claim["metadata"]["name"] == container["volumeMounts"][0]["name"]


def test_a_redis_that_there_is_is_not_rendered(cluster: Values) -> None:
    assert part(cluster, "invoices-redis") == {}
    assert part(changed(cluster, mail=None), "invoices-mail") == {}


def test_watched_folders_have_pods_that_only_prometheus_reaches(cluster: Values) -> None:
    values = changed(cluster, watch={"cpu": 1, "memory": "1Gi"}, environment_secret="aws")
    watch, numbers = part(values, "invoices-watch"), part(values, "invoices-watch-metrics")
    (container,) = watch["Deployment"]["spec"]["template"]["spec"]["containers"]
    assert container["args"] == ["invoices", "watch"]
    assert container["envFrom"] == [{"secretRef": {"name": "aws"}}]
    (rule,) = watch["NetworkPolicy"]["spec"]["ingress"]
    assert rule["ports"] == [{"protocol": "TCP", "port": 9464}]
    assert numbers["Service"]["spec"]["selector"] == labels_of(watch["Deployment"])
    assert numbers["ServiceMonitor"]["spec"]["selector"]["matchLabels"].items() <= (
        numbers["Service"]["metadata"]["labels"].items()
    )
    assert part(changed(values, monitoring_namespace=None), "invoices-watch")["NetworkPolicy"]["spec"]["ingress"] == []
    assert part(cluster, "invoices-watch") == {}
