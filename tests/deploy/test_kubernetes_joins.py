"""What no schema sees: objects that name others name what is there, and budgets that Kubernetes can count."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from serve_app.commands.local_graph import read_graph
from serve_app.manifests.kubernetes import kubernetes_objects
from serve_app.manifests.values import Values
from tests.support.manifests import FOLDER, changed, with_all_parts

ROOT = Path(__file__).parents[2]
GRAPH = read_graph(ROOT / "config" / "serve.yaml")
RULES = ROOT / "deploy" / "observability" / "rules.yaml"
Object = dict[str, Any]


def example(name: str) -> Values:
    return Values.model_validate(yaml.safe_load((FOLDER / name).read_text()))


@pytest.fixture(params=["values.yaml", "sqlite-values.yaml", "all parts"])
def values(request: pytest.FixtureRequest) -> Values:
    return with_all_parts() if request.param == "all parts" else example(request.param)


@pytest.fixture
def cluster() -> Values:
    return example("values.yaml")


def of_kind(values: Values, kind: str) -> list[Object]:
    return [each for each in kubernetes_objects(values, GRAPH) if each["kind"] == kind]


def templates(values: Values) -> list[tuple[str, int, Object]]:
    """The Pods of all objects: whose they are, how many at least, and their template."""
    found = []
    for each in kubernetes_objects(values, GRAPH):
        if each["kind"] == "RayService":
            ray = each["spec"]["rayClusterConfig"]
            found.append(("RayCluster", 1, ray["headGroupSpec"]["template"]))
            found += [("RayCluster", group["minReplicas"], group["template"]) for group in ray["workerGroupSpecs"]]
        elif each["kind"] == "CronJob":
            found.append(("CronJob", 0, each["spec"]["jobTemplate"]["spec"]["template"]))
        elif "template" in each["spec"]:
            found.append((each["kind"], each["spec"]["replicas"], each["spec"]["template"]))
    return found


def selected(values: Values, labels: dict[str, str]) -> list[tuple[str, int, Object]]:
    return [each for each in templates(values) if labels.items() <= each[2]["metadata"]["labels"].items()]


def values_of(each: Any, key: str) -> Iterator[Any]:
    """What stands under this key, at every depth."""
    for part in each.items() if isinstance(each, dict) else enumerate(each) if isinstance(each, list) else ():
        if part[0] == key:
            yield part[1]
        yield from values_of(part[1], key)


class TestBudgets:
    def test_kubernetes_can_count_each_budget(self, values: Values) -> None:
        """A RayCluster has no `scale`, so of its Pods only an absolute number can be counted."""
        for budget in of_kind(values, "PodDisruptionBudget"):
            ((owner, _, _),) = selected(values, budget["spec"]["selector"]["matchLabels"])
            if owner == "RayCluster":
                assert isinstance(budget["spec"]["minAvailable"], int)
                assert "maxUnavailable" not in budget["spec"]

    def test_a_drain_can_move_every_pod_that_may_be_moved(self, cluster: Values) -> None:
        for budget in of_kind(cluster, "PodDisruptionBudget"):
            ((_, least, _),) = selected(cluster, budget["spec"]["selector"]["matchLabels"])
            assert budget["spec"].get("minAvailable", 0) < least

    def test_each_group_of_several_workers_keeps_all_but_one(self, cluster: Values) -> None:
        groups = [
            {**group.model_dump(), "name": f"g{least}", "least": least}
            for least, group in zip((0, 1, 4), cluster.workers * 2, strict=False)
        ]
        budgets = of_kind(changed(cluster, workers=groups, mail=None), "PodDisruptionBudget")
        assert [(each["metadata"]["name"], each["spec"]["minAvailable"]) for each in budgets] == [
            ("invoices-worker-g4", 3)
        ]

    def test_a_worker_without_a_replica_holds_up_no_drain(self, cluster: Values) -> None:
        for budget in of_kind(changed(cluster, mail=None), "PodDisruptionBudget"):
            assert budget["spec"]["unhealthyPodEvictionPolicy"] == "AlwaysAllow"

    def test_the_head_stays_where_it_is_only_if_the_values_say_so(self, cluster: Values) -> None:
        stays = changed(cluster, head=cluster.head.model_dump() | {"evictable": False}, workers=cluster.workers)
        (budget,) = [each for each in of_kind(stays, "PodDisruptionBudget") if "head" in each["metadata"]["name"]]
        assert budget["spec"]["minAvailable"] == 1
        ((_, _, head),) = selected(stays, budget["spec"]["selector"]["matchLabels"])
        assert head["spec"]["containers"][0]["name"] == "ray-head"
        assert of_kind(example("sqlite-values.yaml"), "PodDisruptionBudget") == []


class TestSelectors:
    def test_each_selects_pods_of_this_deployment(self, values: Values) -> None:
        own = [each["spec"] for each in kubernetes_objects(values, GRAPH) if each["kind"] != "ServiceMonitor"]
        for labels in values_of(own, "matchLabels"):
            assert selected(values, labels) or "kubernetes.io/metadata.name" in labels, labels
        for service in of_kind(values, "Service"):
            assert selected(values, service["spec"]["selector"])

    def test_what_manages_pods_manages_its_own_only(self, values: Values) -> None:
        for each in (*of_kind(values, "Deployment"), *of_kind(values, "StatefulSet")):
            ((_, _, pod),) = selected(values, each["spec"]["selector"]["matchLabels"])
            assert pod == each["spec"]["template"]

    def test_pods_are_spread_among_their_like(self, values: Values) -> None:
        for _, _, pod in templates(values):
            for constraint in pod["spec"].get("topologySpreadConstraints", []):
                wanted = constraint["labelSelector"]["matchLabels"]
                assert wanted.items() <= pod["metadata"]["labels"].items()

    def test_services_send_to_ports_that_their_pods_open(self, values: Values) -> None:
        for service in of_kind(values, "Service"):
            for _, _, pod in selected(values, service["spec"]["selector"]):
                opened = {port["containerPort"] for port in pod["spec"]["containers"][0].get("ports", [])}
                assert {port["targetPort"] for port in service["spec"]["ports"]} <= opened


class TestWayIn:
    def test_it_leads_to_the_service_of_serve(self, cluster: Values) -> None:
        (ray,) = of_kind(cluster, "RayService")
        service = ray["spec"]["serveService"]
        (port,) = service["spec"]["ports"]
        (ingress,) = of_kind(cluster, "Ingress")
        (backend,) = values_of(ingress, "service")
        assert backend == {"name": service["metadata"]["name"], "port": {"name": port["name"]}}
        (route,) = of_kind(with_all_parts(), "HTTPRoute")
        assert list(values_of(route, "backendRefs")) == [[{"name": service["metadata"]["name"], "port": port["port"]}]]

    def test_a_gateway_answers_by_tls_and_for_as_long_as_serve(self, cluster: Values) -> None:
        values = with_all_parts()
        (route,) = of_kind(values, "HTTPRoute")
        (parent,) = route["spec"]["parentRefs"]
        assert parent == {"name": "public", "namespace": "gateways", "sectionName": "https"}
        assert list(values_of(route, "request")) == [f"{GRAPH['http_options']['request_timeout_s']}s"]
        assert of_kind(values, "Ingress") == []
        assert of_kind(cluster, "HTTPRoute") == []


class TestMonitoring:
    def test_the_job_of_the_alarms_is_that_of_the_monitors(self, values: Values) -> None:
        jobs = set(re.findall(r'job="([^"]+)"', RULES.read_text()))
        static = yaml.safe_load((RULES.parent / "prometheus.yml").read_text())
        assert jobs == {config["job_name"] for config in static["scrape_configs"]}
        for monitor in of_kind(values, "ServiceMonitor"):
            (endpoint,) = monitor["spec"]["endpoints"]
            assert endpoint["relabelings"] == [{"targetLabel": "job", "replacement": each} for each in jobs]

    def test_monitors_find_a_port_of_a_service(self, values: Values) -> None:
        for monitor in of_kind(values, "ServiceMonitor"):
            wanted = monitor["spec"]["selector"]["matchLabels"].items()
            (service,) = [each for each in of_kind(values, "Service") if wanted <= each["metadata"]["labels"].items()]
            named = {port["name"] for port in service["spec"]["ports"]}
            assert {endpoint["port"] for endpoint in monitor["spec"]["endpoints"]} <= named

    def test_every_pod_with_numbers_is_found(self, values: Values) -> None:
        """Those of mail and Redis have none."""
        found = [
            pod["metadata"]["labels"]
            for service in of_kind(values, "Service")
            if "metrics" in service["metadata"]["name"]
            for _, _, pod in selected(values, service["spec"]["selector"])
        ]
        with_numbers = [
            pod["metadata"]["labels"]
            for _, _, pod in templates(values)
            if "numbers" in {port["name"] for port in pod["spec"]["containers"][0].get("ports", [])}
        ]
        assert sorted(map(str, found)) == sorted(map(str, with_numbers))

    def test_the_alarms_are_those_of_the_file(self, values: Values) -> None:
        (rule,) = of_kind(values, "PrometheusRule")
        assert [each["alert"] for each in rule["spec"]["groups"][0]["rules"]] == [
            each["alert"] for each in yaml.safe_load(RULES.read_text())["groups"][0]["rules"]
        ]

    def test_alarms_link_to_the_documentation_where_the_values_say_that_it_is(self, cluster: Values) -> None:
        (linked,) = of_kind(with_all_parts(), "PrometheusRule")
        for each in linked["spec"]["groups"][0]["rules"]:
            wanted = f"https://docs.example.org/invoices/how-to/runbook.html#{each['alert'].lower()}"
            assert each["annotations"]["runbook_url"] == wanted
        (plain,) = of_kind(cluster, "PrometheusRule")
        assert list(values_of(plain, "runbook_url")) == []

    def test_the_operator_of_prometheus_finds_what_its_labels_select(self) -> None:
        values = with_all_parts()
        for kind in ("ServiceMonitor", "PrometheusRule"):
            for each in of_kind(values, kind):
                assert values.monitoring_labels.items() <= each["metadata"]["labels"].items()

    def test_without_prometheus_there_is_nothing_for_it(self, cluster: Values) -> None:
        values = changed(cluster, monitoring_namespace=None)
        assert of_kind(values, "ServiceMonitor") == of_kind(values, "PrometheusRule") == []

    def test_prometheus_accepts_the_rules(self, cluster: Values, tmp_path: Path) -> None:
        promtool = shutil.which("promtool")
        if promtool is None:
            pytest.skip("promtool is not installed (Debian: prometheus)")
        (rule,) = of_kind(cluster, "PrometheusRule")
        file = tmp_path / "rules.yaml"
        file.write_text(yaml.safe_dump(rule["spec"]))
        run = subprocess.run([promtool, "check", "rules", file], capture_output=True, text=True)
        assert run.returncode == 0, run.stdout + run.stderr


class TestReferences:
    def test_only_secrets_that_the_values_name(self, values: Values) -> None:
        spec = [each["spec"] for each in kubernetes_objects(values, GRAPH)]
        named = {*values_of(spec, "secretName")}
        for key in ("secretRef", "secretKeyRef"):
            named |= {each["name"] for each in values_of(spec, key)}
        given = {values.secret, values.environment_secret, values.ingress.tls_secret}
        assert named <= given | {values.mail.tls_secret if values.mail else None}

    def test_every_claim_is_rendered_and_every_volume_mounted_is_there(self, values: Values) -> None:
        claims = {each["metadata"]["name"] for each in of_kind(values, "PersistentVolumeClaim")}
        for owner, _, pod in templates(values):
            volumes = {volume["name"] for volume in pod["spec"].get("volumes", [])}
            if owner == "StatefulSet":
                volumes |= {each["metadata"]["name"] for each in _of_the_stateful_set(values)}
            mounted = {mount["name"] for each in pod["spec"]["containers"] for mount in each["volumeMounts"]}
            assert mounted == volumes
            assert set(values_of(pod, "claimName")) <= claims


def _of_the_stateful_set(values: Values) -> list[Object]:
    ((claim),) = [each["spec"]["volumeClaimTemplates"] for each in of_kind(values, "StatefulSet")]
    return list(claim)


class TestPlacement:
    def test_every_pod_runs_where_its_values_say(self) -> None:
        for _, _, pod in templates(with_all_parts()):
            spec = pod["spec"]
            assert spec["nodeSelector"] == {"pool": "invoices"}
            assert spec["tolerations"][0]["value"] == "invoices"
            assert "nodeAffinity" in spec["affinity"]
            assert spec["priorityClassName"] == "important"
            assert spec["imagePullSecrets"] == [{"name": "registry"}]

    def test_equal_pods_are_spread_over_zones_and_never_share_a_node_if_the_values_say_so(self) -> None:
        constraints = [pod["spec"].get("topologySpreadConstraints", []) for _, _, pod in templates(with_all_parts())]
        zones = [
            [(each["topologyKey"], each["whenUnsatisfiable"]) for each in of_pod] for of_pod in constraints if of_pod
        ]
        spread = [("topology.kubernetes.io/zone", "ScheduleAnyway"), ("kubernetes.io/hostname", "DoNotSchedule")]
        # The head has the default, and Redis is alone.
        assert zones == [[("kubernetes.io/hostname", "ScheduleAnyway")], *[spread] * 6]

    def test_redis_gets_no_account_of_the_service(self) -> None:
        accounts = {owner: pod["spec"].get("serviceAccountName") for owner, _, pod in templates(with_all_parts())}
        assert accounts == {
            "RayCluster": "invoices",
            "StatefulSet": None,
            "Deployment": "invoices",
            "CronJob": "invoices",
        }
