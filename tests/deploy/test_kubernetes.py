"""What `invoices render kubernetes` makes is valid, and runs what config/serve.yaml says."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml
from ray.serve.schema import ServeDeploySchema

from serve_app.commands.local_graph import read_graph
from serve_app.manifests.kubernetes import kubernetes_objects, kubernetes_text
from serve_app.manifests.values import Values
from tests.support.manifests import changed, with_all_parts

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "deploy" / "kubernetes"
SCHEMAS = Path(__file__).parent / "schemas"
EXAMPLES = {"values.yaml": "mongodb.yaml", "sqlite-values.yaml": "sqlite.yaml"}
GRAPH = read_graph(ROOT / "config" / "serve.yaml")
DEFINITIONS = {
    ("v1", "Service"): "io.k8s.api.core.v1.Service",
    ("v1", "PersistentVolumeClaim"): "io.k8s.api.core.v1.PersistentVolumeClaim",
    ("networking.k8s.io/v1", "Ingress"): "io.k8s.api.networking.v1.Ingress",
    ("networking.k8s.io/v1", "NetworkPolicy"): "io.k8s.api.networking.v1.NetworkPolicy",
    ("policy/v1", "PodDisruptionBudget"): "io.k8s.api.policy.v1.PodDisruptionBudget",
    ("apps/v1", "Deployment"): "io.k8s.api.apps.v1.Deployment",
    ("batch/v1", "CronJob"): "io.k8s.api.batch.v1.CronJob",
    ("apps/v1", "StatefulSet"): "io.k8s.api.apps.v1.StatefulSet",
    ("monitoring.coreos.com/v1", "ServiceMonitor"): "com.coreos.monitoring.v1.ServiceMonitor",
    ("monitoring.coreos.com/v1", "PrometheusRule"): "com.coreos.monitoring.v1.PrometheusRule",
    ("gateway.networking.k8s.io/v1", "HTTPRoute"): "io.k8s.networking.gateway.v1.HTTPRoute",
    ("ray.io/v1", "RayService"): "io.ray.v1.RayService",
}
WITH_ALL = "values.yaml with all that can be added"
Object = dict[str, Any]


def schema() -> Object:
    definitions: Object = {}
    for name in ("kubernetes", "kuberay", "prometheus", "gateway"):
        definitions |= json.loads((SCHEMAS / f"{name}.json").read_text())["$defs"]
    return definitions


@pytest.fixture(scope="module")
def validators() -> Mapping[tuple[str, str], jsonschema_rs.Draft202012Validator]:
    definitions = schema()
    return {
        kind: jsonschema_rs.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": definitions})
        for kind, name in DEFINITIONS.items()
    }


@pytest.fixture(params=[*EXAMPLES, WITH_ALL])
def values(request: pytest.FixtureRequest) -> Values:
    if request.param == WITH_ALL:
        return with_all_parts()
    return Values.model_validate(yaml.safe_load((FOLDER / request.param).read_text()))


@pytest.fixture
def cluster() -> Values:
    return Values.model_validate(yaml.safe_load((FOLDER / "values.yaml").read_text()))


def objects(values: Values) -> dict[str, Object]:
    """The first of each kind: of Services that of the numbers."""
    return {each["kind"]: each for each in reversed(list(kubernetes_objects(values, GRAPH)))}


def ray_of(values: Values) -> Object:
    spec: Object = objects(values)["RayService"]["spec"]
    return spec


def pods_of(values: Values) -> list[Object]:
    config = ray_of(values)["rayClusterConfig"]
    return [config["headGroupSpec"]["template"], *(group["template"] for group in config["workerGroupSpecs"])]


def test_every_object_is_valid(values: Values, validators: Mapping[tuple[str, str], Any]) -> None:
    for each in kubernetes_objects(values, GRAPH):
        errors = [
            f"{'/'.join(map(str, error.instance_path))}: {error.message}"
            for error in validators[each["apiVersion"], each["kind"]].iter_errors(each)
        ]
        assert errors == [], each["kind"]


def test_a_misspelt_key_is_found_at_every_depth(cluster: Values, validators: Mapping[tuple[str, str], Any]) -> None:
    service = objects(cluster)["RayService"]
    service["spec"]["rayClusterConfig"]["workerGroupSpecs"][0]["template"]["spec"]["containers"][0]["enviroment"] = []
    service["spec"]["rayClusterConfig"]["authOption"] = {}
    assert len(list(validators["ray.io/v1", "RayService"].iter_errors(service))) == 2


@pytest.mark.parametrize(("file", "rendered"), EXAMPLES.items())
def test_the_examples_are_up_to_date(file: str, rendered: str) -> None:
    values = Values.model_validate(yaml.safe_load((FOLDER / file).read_text()))
    assert (FOLDER / rendered).read_text() == kubernetes_text(values, GRAPH), (
        f"invoices render kubernetes --values {file}"
    )


def test_what_serve_runs_is_what_its_configuration_says(cluster: Values) -> None:
    rendered = yaml.safe_load(ray_of(cluster)["serveConfigV2"])
    ServeDeploySchema.model_validate(rendered)
    for deployment in rendered["applications"][0]["deployments"]:
        del deployment["max_replicas_per_node"]
    assert rendered == GRAPH


def test_in_one_pod_without_a_gpu_the_models_ask_for_none() -> None:
    values = Values.model_validate(yaml.safe_load((FOLDER / "sqlite-values.yaml").read_text()))
    rendered = yaml.safe_load(ray_of(values)["serveConfigV2"])
    for deployment in rendered["applications"][0]["deployments"]:
        assert not deployment["ray_actor_options"].get("num_gpus")
        assert "max_replicas_per_node" not in deployment
        if deployment["name"] in {"Extractor", "Verifier"}:
            deployment["ray_actor_options"]["num_gpus"] = 0.5
    assert rendered == GRAPH


def test_two_replicas_of_a_deployment_with_two_never_lie_in_one_pod(cluster: Values) -> None:
    rendered = yaml.safe_load(ray_of(cluster)["serveConfigV2"])["applications"][0]["deployments"]
    limits = {each["name"]: each["max_replicas_per_node"] for each in rendered}
    # 12 Pods at most, 4 of them with a GPU.
    assert limits == {
        "Ingress": 1,
        "Dispatcher": 2,
        "Delivery": 1,
        "Mailroom": 1,
        "Reader": 2,
        "Reconciler": 1,
        "Extractor": 1,
        "Verifier": 1,
    }


def test_workers_are_ready_once_their_proxy_answers_and_no_probe_starts_a_program(cluster: Values) -> None:
    assert yaml.safe_load(ray_of(cluster)["serveConfigV2"])["proxy_location"] == "EveryNode"
    head, *workers = (pod["spec"]["containers"][0] for pod in pods_of(cluster))
    assert head["readinessProbe"]["httpGet"] == {"path": "/api/healthz", "port": 52365}
    for worker in workers:
        assert worker["readinessProbe"]["httpGet"] == {"path": "/-/healthz", "port": 8000}
    for container in (head, *workers):
        assert container["livenessProbe"]["httpGet"] == {"path": "/api/healthz", "port": 52365}


def test_no_pod_runs_as_root_or_can_write_to_its_image(values: Values) -> None:
    for pod in pods_of(values):
        assert pod["spec"]["securityContext"]["runAsNonRoot"]
        for container in pod["spec"]["containers"]:
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }


def test_secrets_are_files_and_in_no_object(cluster: Values) -> None:
    for pod in pods_of(cluster):
        (container,) = pod["spec"]["containers"]
        environment = {each["name"]: each["value"] for each in container["env"]}
        (mount,) = [each for each in container["volumeMounts"] if each["name"] == "secrets"]
        assert environment["CREDENTIALS_DIRECTORY"] == mount["mountPath"]
        assert "DATABASE_URL" not in environment
    password = ray_of(cluster)["rayClusterConfig"]["gcsFaultToleranceOptions"]["redisPassword"]
    assert list(password) == ["valueFrom"]


def test_rays_ports_are_open_to_its_own_pods_only(cluster: Values) -> None:
    own, *others = objects(cluster)["NetworkPolicy"]["spec"]["ingress"]
    assert list(own) == ["from"]
    for pod in pods_of(cluster):
        assert own["from"][0]["podSelector"]["matchLabels"].items() <= pod["metadata"]["labels"].items()
    opened = {
        each["from"][0]["namespaceSelector"]["matchLabels"]["kubernetes.io/metadata.name"]: [
            port["port"] for port in each["ports"]
        ]
        for each in others
    }
    assert opened == {"ingress-nginx": [8000], "kuberay-operator": [8000, 8265], "monitoring": [9464]}


def test_every_port_of_ray_asks_for_a_token(values: Values) -> None:
    assert ray_of(values)["rayClusterConfig"]["authOptions"] == {"mode": "token"}


def test_what_is_on_a_disk_has_a_claim(cluster: Values) -> None:
    assert "PersistentVolumeClaim" not in objects(cluster)
    for shared, mode in ((cluster.workers, "ReadWriteMany"), ((), "ReadWriteOnce")):
        database = "mongodb" if shared else "sqlite"
        values = changed(cluster, workers=shared, files="folder", database=database, mail=None)
        claim = objects(values)["PersistentVolumeClaim"]
        assert claim["spec"]["accessModes"] == [mode]


def test_the_least_pods_hold_the_least_replicas(values: Values) -> None:
    pods = values.workers or (values.head,)
    least = [getattr(each, "least", 1) for each in pods]
    cores = sum(number * size.cpu for number, size in zip(least, pods, strict=True))
    gpus = sum(number * size.gpus for number, size in zip(least, pods, strict=True))
    needed = yaml.safe_load(ray_of(values)["serveConfigV2"])["applications"][0]["deployments"]
    for resource, there in (("num_cpus", cores), ("num_gpus", gpus)):
        assert sum(_fewest(each) * each["ray_actor_options"].get(resource, 0) for each in needed) <= there


def _fewest(deployment: Object) -> int:
    fewest: int = deployment.get("autoscaling_config", {}).get("min_replicas") or deployment.get("num_replicas", 1)
    return fewest


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"image": "invoices:latest"}, "image"),
        ({"database": "sqlite"}, "remove workers"),
        ({"workers": []}, "at least one"),
        ({"database": "sqlite", "workers": [], "mail": None}, "gridfs needs MongoDB"),
        ({"worker": []}, "worker"),
        ({"database": "sqlite", "workers": [], "files": "folder"}, "mail needs separate Pods"),
        ({"redis": {}}, "either the address"),
        ({"redis": {"address": "redis:6379", "image": f"redis@sha256:{'0' * 64}"}}, "either the address"),
        ({"redis": {"image": f"redis@sha256:{'0' * 64}", "has_password": False}}, "needs a password"),
        ({"ingress": {"host": "invoices.example.com"}}, "either the tls_secret"),
    ],
)
def test_values_that_cannot_work_are_refused(cluster: Values, changes: Object, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        changed(cluster, **changes)
