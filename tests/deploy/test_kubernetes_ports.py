"""Ports, paths and names of the rendered objects: each that one object names is what another one has."""

from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from serve_app.manifests.kubernetes import kubernetes_objects
from serve_app.manifests.values import Values
from tests.deploy.test_kubernetes_joins import GRAPH, Object, example, of_kind, selected, templates, values_of
from tests.support.manifests import with_all_parts

# Ray's agent, which answers probes of KubeRay's kind on every machine.
AGENT = 52365
SECRETS = "CREDENTIALS_DIRECTORY"


@pytest.fixture(params=["values.yaml", "sqlite-values.yaml", "all parts"])
def values(request: pytest.FixtureRequest) -> Values:
    return with_all_parts() if request.param == "all parts" else example(request.param)


def opened(pod: Object) -> set[int]:
    return {port["containerPort"] for port in pod["spec"]["containers"][0].get("ports", [])}


def variables(pod: Object) -> dict[str, str]:
    return {each["name"]: each.get("value", "") for each in pod["spec"]["containers"][0]["env"]}


def named(pod: Object, port: str) -> Iterator[int]:
    for each in pod["spec"]["containers"][0].get("ports", []):
        if each["name"] == port:
            yield each["containerPort"]


def allowed(values: Values, pod: Object, namespace: str) -> set[int]:
    """Which ports of this Pod a namespace reaches: all that it opens, unless a policy selects the Pod."""
    policies = [
        each["spec"]
        for each in of_kind(values, "NetworkPolicy")
        if each["spec"]["podSelector"]["matchLabels"].items() <= pod["metadata"]["labels"].items()
    ]
    if not policies:
        return opened(pod)
    rules = [rule for policy in policies for rule in policy["ingress"]]
    wanted = {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": namespace}}}
    return {port["port"] for rule in rules if wanted in rule.get("from", [wanted]) for port in rule["ports"]}


class TestPorts:
    def test_policies_open_ports_that_their_pods_have(self, values: Values) -> None:
        for policy in of_kind(values, "NetworkPolicy"):
            pods = selected(values, policy["spec"]["podSelector"]["matchLabels"])
            for port in (port for ports in values_of(policy["spec"], "ports") for port in ports):
                assert port["protocol"] == "TCP"
                assert any(port["port"] in opened(pod) for _, _, pod in pods), port

    def test_prometheus_reaches_the_numbers_of_each_pod(self, values: Values) -> None:
        assert values.monitoring_namespace
        for _, _, pod in templates(values):
            assert {*named(pod, "numbers")} <= allowed(values, pod, values.monitoring_namespace)

    def test_the_way_in_and_kuberay_reach_http_and_kuberay_the_dashboard_too(self, values: Values) -> None:
        for owner, _, pod in templates(values):
            if owner != "RayCluster":
                continue
            http, dashboard = {*named(pod, "serve")}, {*named(pod, "dashboard")}
            assert http == {GRAPH["http_options"]["port"]}
            assert allowed(values, pod, values.ingress.namespace) == http
            assert allowed(values, pod, values.operator_namespace) >= http | dashboard
            assert allowed(values, pod, "elsewhere") == set()

    def test_the_service_of_serve_sends_to_its_port(self, values: Values) -> None:
        (ray,) = of_kind(values, "RayService")
        (port,) = ray["spec"]["serveService"]["spec"]["ports"]
        assert (port["port"], port["targetPort"]) == (GRAPH["http_options"]["port"],) * 2
        assert yaml.safe_load(ray["spec"]["serveConfigV2"])["http_options"]["port"] == port["port"]

    def test_processes_listen_where_their_pods_open(self, values: Values) -> None:
        for _, _, pod in templates(values):
            for name, port in (("METRICS_LISTEN", "numbers"), ("MAIL_SMTP", "smtp"), ("MAIL_LMTP", "lmtp")):
                for each in named(pod, port):
                    assert variables(pod)[name] == f"0.0.0.0:{each}"

    def test_probes_ask_ports_that_their_pods_open(self, values: Values) -> None:
        for owner, _, pod in templates(values):
            for kind in ("httpGet", "tcpSocket"):
                for probe in values_of(pod, kind):
                    assert probe["port"] in opened(pod) | ({AGENT} if owner == "RayCluster" else set())

    def test_the_address_of_redis_is_that_of_its_service(self) -> None:
        values = with_all_parts()
        (ray,) = of_kind(values, "RayService")
        address = ray["spec"]["rayClusterConfig"]["gcsFaultToleranceOptions"]["redisAddress"]
        services = {each["metadata"]["name"]: each["spec"]["ports"] for each in of_kind(values, "Service")}
        host, port = address.removeprefix("redis://").split(":")
        name = host.removesuffix(f".{values.namespace}.svc")
        assert [each["port"] for each in services[name]] == [int(port)]
        (redis,) = of_kind(values, "StatefulSet")
        assert redis["spec"]["serviceName"] == name


class TestPaths:
    def test_variables_name_folders_that_are_mounted(self, values: Values) -> None:
        for _, _, pod in templates(values):
            given = variables(pod)
            mounted = {each["mountPath"] for each in pod["spec"]["containers"][0]["volumeMounts"]}
            if SECRETS in given:
                assert given[SECRETS] in mounted
            for name in ("METRICS_FOLDER", "MAIL_FOLDER", "MAIL_TLS_CERTIFICATE", "MAIL_TLS_KEY"):
                assert any(given.get(name, path).startswith(path) for path in mounted), name

    def test_the_root_is_read_only_and_what_programs_write_to_is_mounted(self, values: Values) -> None:
        for owner, _, pod in templates(values):
            (container,) = pod["spec"]["containers"]
            assert container["securityContext"]["readOnlyRootFilesystem"] is True
            mounted = {each["mountPath"] for each in container["volumeMounts"]}
            assert mounted >= ({"/data"} if owner == "StatefulSet" else {"/data", "/tmp"})  # noqa: S108 - the container's


class TestNames:
    def test_no_two_objects_of_a_kind_share_one(self, values: Values) -> None:
        names = [(each["kind"], each["metadata"]["name"]) for each in kubernetes_objects(values, GRAPH)]
        assert len(names) == len({*names})

    def test_all_objects_lie_in_the_namespace_of_the_values(self, values: Values) -> None:
        assert {each["metadata"]["namespace"] for each in kubernetes_objects(values, GRAPH)} == {values.namespace}

    def test_all_pods_take_their_image_with_the_secrets_of_the_values(self) -> None:
        values = with_all_parts()
        wanted = [{"name": each} for each in values.image_pull_secrets]
        pulled: list[Any] = [pod["spec"]["imagePullSecrets"] for _, _, pod in templates(values)]
        assert pulled == [wanted] * len(pulled)
