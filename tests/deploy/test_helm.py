"""The Helm chart, as Helm's own engine renders it, gives the objects of `invoices render kubernetes`."""

import itertools
import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from scripts.chart import CHART, chart_files
from scripts.release.build import pack_chart
from serve_app.commands.local_graph import read_graph
from serve_app.manifests.kubernetes import kubernetes_objects
from serve_app.manifests.values import Values
from tests.support.helm import Refused, Run, helm, identity, lint, render
from tests.support.manifests import everything

ROOT = Path(__file__).parents[2]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
GRAPH = read_graph(ROOT / "config" / "serve.yaml")
Object = dict[str, Any]


def example(name: str) -> Object:
    values: Object = yaml.safe_load((ROOT / "deploy" / "kubernetes" / name).read_text())
    return values


CLUSTER, ONE_POD = example("values.yaml"), example("sqlite-values.yaml")
IMAGE = CLUSTER["image"]
CHANGES: dict[str, Object] = {
    "as the example": {},
    "other names": {"name": "bills", "namespace": "accounting", "secret": "keys", "operator_namespace": "ray"},
    "settings win": {"settings": {"MAIL_FOLDER": "/elsewhere", "RAY_USAGE_STATS_ENABLED": "1", "QUOTED": "yes"}},
    "variables from a Secret": {"environment_secret": "aws", "files": "s3"},
    "no numbers": {"monitoring_namespace": None},
    "another way in": {"ingress": {**CLUSTER["ingress"], "class_name": "traefik", "annotations": {"a/b": "true"}}},
    "no annotations": {"ingress": {**CLUSTER["ingress"], "annotations": {}}},
    "files in a folder": {"files": "folder", "volume": {"size": "10Gi", "storage_class": "fast"}},
    "a Redis of its own": {"redis": {"image": IMAGE, "volume": {"size": "2Gi", "storage_class": "fast"}}},
    "a Redis without a password": {"redis": {"address": "rediss://redis:6380", "has_password": False}},
    "no Redis": {"redis": None},
}
FOR_A_CLUSTER: dict[str, Object] = {
    "no GPUs": {"workers": [{"name": "cpu", "least": 1, "most": 5, "cpu": 8, "memory": "24Gi"}]},
    "a fixed size": {"workers": [{"name": "all", "least": 3, "most": 3, "cpu": 8, "memory": "24Gi", "gpus": 1}]},
    "no mail": {"mail": None},
    "mail by LMTP": {"mail": {"cpu": 1, "memory": "1Gi", "way": "lmtp", "service": "ClusterIP", "port": 24, "pods": 3}},
    "backups": {"backup": {"cpu": 1, "memory": "2Gi", "place": "s3://copies/invoices?region=eu", "keep_daily": 3}},
    "backups without drills": {"backup": {"cpu": 1, "memory": "2Gi", "place": "s3://copies/a", "drill": None}},
    "drills at other times": {"backup": {"cpu": 1, "memory": "2Gi", "place": "s3://copies/a", "drill": "0 5 1 * *"}},
    "watched folders": {"watch": {"cpu": 1, "memory": "1Gi"}},
    "watched folders without numbers": {"watch": {"cpu": 1, "memory": "1Gi", "pods": 1}, "monitoring_namespace": None},
    "all parts, placed": everything(CLUSTER),
    "not spread": {"head": {"cpu": 2, "memory": "8Gi", "spread": []}},
    "mail with annotations": {"mail": {"cpu": 2, "memory": "1Gi", "annotations": {"cloud/scheme": "internet"}}},
}
FOR_ONE_POD: dict[str, Object] = {
    "a GPU": {"head": {"cpu": 14, "memory": "32Gi", "gpus": 1}},
    "a head that stays": {"head": {"cpu": 14, "memory": "32Gi", "evictable": False}},
}
CASES = [
    *((ONE_POD, change) for change in itertools.chain(CHANGES.items(), FOR_ONE_POD.items())),
    *((CLUSTER, change) for change in itertools.chain(CHANGES.items(), FOR_A_CLUSTER.items())),
]


@pytest.fixture(scope="module", name="run")
def run_helm() -> Iterator[Run]:
    with helm() as run:
        yield run


def rendered(run: Run, values: Object, namespace: str = "invoices") -> dict[tuple[str, str], Object]:
    """The objects by kind and name."""
    files = run(render, CHART, values, namespace)
    return {named(each): comparable(each) for text in files for each in yaml.safe_load_all(text) if each}


def named(each: Object) -> tuple[str, str]:
    return each["kind"], each["metadata"]["name"]


def comparable(each: Object) -> Object:
    """What Kubernetes makes of it: the order of variables that do not refer to each other says nothing."""
    plain: Object = json.loads(json.dumps(each), object_hook=_without_order)
    if plain["kind"] == "RayService":
        plain["spec"]["serveConfigV2"] = yaml.safe_load(plain["spec"]["serveConfigV2"])
    return plain


def _without_order(each: Object) -> Object:
    if "env" in each:
        each["env"] = sorted(each["env"], key=lambda variable: variable["name"])
    return each


@pytest.mark.parametrize(("base", "change"), CASES, ids=lambda value: value[0] if isinstance(value, tuple) else "")
def test_the_chart_gives_what_invoices_renders(run: Run, base: Object, change: tuple[str, Object]) -> None:
    values = base | change[1]
    wanted = {named(each): comparable(each) for each in kubernetes_objects(Values.model_validate(values), GRAPH)}
    assert rendered(run, values) == wanted


def test_without_a_namespace_of_its_own_it_takes_that_of_the_release(run: Run) -> None:
    spaces = {each["metadata"]["namespace"] for each in rendered(run, CLUSTER, "accounting").values()}
    assert spaces == {"accounting"}


def test_the_chart_of_a_release_is_one_that_helm_installs(run: Run, tmp_path: Path) -> None:
    """And its bytes are the same each time."""
    first, again = (pack_chart(CHART, VERSION, made(tmp_path / name), 1_700_000_000) for name in "ab")
    assert first.read_bytes() == again.read_bytes()
    assert run(identity, first) == ("invoices", VERSION)
    assert run(render, first, CLUSTER, "invoices")


def made(folder: Path) -> Path:
    folder.mkdir()
    return folder


@pytest.mark.parametrize("values", [CLUSTER, ONE_POD], ids=["cluster", "one Pod"])
def test_helm_lint_finds_no_fault(run: Run, values: Object) -> None:
    report = run(lint, CHART, values)
    assert report["errors"] == []
    assert [each for each in report["messages"] if each["severity"] > 1] == []


def test_what_comes_from_elsewhere_is_up_to_date() -> None:
    """The schema of values, their defaults, the Serve configuration and Ray's variables: `make chart` writes them."""
    assert {path: (CHART / path).read_text() for path in chart_files()} == chart_files()
    about = yaml.safe_load((CHART / "Chart.yaml").read_text())
    assert (about["version"], about["appVersion"]) == (VERSION, VERSION)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"image": "invoices:latest"}, "image"),
        ({"worker": []}, "worker"),
        ({"head": {"cpu": 0, "memory": "8Gi"}}, "cpu"),
        ({"database": "sqlite"}, "remove workers"),
        ({"workers": []}, "at least one"),
        ({"database": "sqlite", "workers": [], "mail": None}, "gridfs needs MongoDB"),
        ({"database": "sqlite", "workers": [], "files": "folder"}, "mail needs separate Pods"),
        ({"redis": {}}, "either the address"),
        ({"ingress": {"host": "invoices.example.com"}}, "either the tls_secret"),
        ({"redis": {"image": IMAGE, "has_password": False}}, "needs a password"),
        ({"workers": [{**CLUSTER["workers"][0], "least": 9}]}, "is more than most"),
    ],
)
def test_values_that_cannot_work_are_refused(run: Run, changes: Object, problem: str) -> None:
    """As `invoices render` refuses them."""
    with pytest.raises(ValueError, match=problem):
        Values.model_validate(CLUSTER | changes)
    with pytest.raises(Refused, match=problem):
        run(render, CHART, CLUSTER | changes, "invoices")
