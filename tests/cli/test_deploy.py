"""`invoices deploy` checks before anything changes, waits for the replicas, and ends with one line."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from models.footprint import Tried
from serve_app.commands import deploy as deploying
from serve_app.commands import preflight
from serve_app.commands.deploy import Application, needs_of
from serve_app.commands.errors import CommandError
from serve_app.commands.local_graph import DEFAULT_CONFIG
from tests.cli.command_line import Fails, run
from tests.support.ports import free_port

GRAPH = yaml.safe_load(DEFAULT_CONFIG.read_text())


def state(status: str, *, at: float = 2.0, running: int = 2, wanted: int = 2, message: str = "") -> Application:
    """What Ray says while the one deployment has so many replicas."""
    deployment = {
        "status": "HEALTHY" if running == wanted else "UPDATING",
        "message": message,
        "target_num_replicas": wanted,
        "replicas": [{"state": "RUNNING"}] * running + [{"state": "STARTING"}] * (wanted - running),
    }
    return {"status": status, "message": "", "last_deployed_time_s": at, "deployments": {"Reader": deployment}}


class FakeCluster:
    """Answers with one state after the other, and stays at the last one."""

    nodes = 1

    def __init__(self) -> None:
        self.resources: Mapping[str, float] = {"CPU": 64, "GPU": 4}
        self.deployed: list[dict[str, Any]] = []
        self.states: list[Application | None] = [None, state("RUNNING")]
        self.refused: list[str] = []

    def application(self, name: str) -> Application | None:
        assert name == "invoices"
        return self.states.pop(0) if len(self.states) > 1 else self.states[0]

    def deploy(self, graph: dict[str, Any]) -> None:
        self.deployed.append(graph)

    def refused_models(self) -> list[str]:
        return self.refused


@pytest.fixture(autouse=True)
def cluster(monkeypatch: pytest.MonkeyPatch) -> FakeCluster:
    cluster = FakeCluster()

    tried = [("Extractor", Tried("extractor@1", None, 200))]
    monkeypatch.setattr("serve_app.commands.models.tried_models", lambda path: iter(tried))
    # It starts processes.
    monkeypatch.setattr(preflight, "check_sandbox", lambda settings: None)
    monkeypatch.setattr(deploying, "_reached", lambda: cluster)
    monkeypatch.setattr(deploying, "POLL_SECONDS", 0)
    return cluster


def written(folder: Path, **args: object) -> str:
    """A configuration with these settings."""
    graph = yaml.safe_load(DEFAULT_CONFIG.read_text())
    graph["applications"][0]["args"]["settings"] |= args
    (folder / "serve.yaml").write_text(yaml.safe_dump(graph))
    return "serve.yaml"


def test_it_waits_until_all_replicas_of_the_new_configuration_run(account: str, cluster: FakeCluster) -> None:
    old = state("RUNNING", at=1.0)
    cluster.states = [old, old, state("DEPLOYING", running=0), state("DEPLOYING", running=1), state("RUNNING")]
    output = run("deploy")
    assert "  Reader runs" in output
    assert "The service runs, after" in output
    assert len(cluster.deployed) == 1
    assert len(cluster.states) == 1
    assert "service.deployed" in run("audit")


def test_running_is_not_enough_while_a_replica_is_missing(account: str, cluster: FakeCluster) -> None:
    cluster.states = [None, state("RUNNING", running=1), state("RUNNING")]
    run("deploy")
    assert len(cluster.states) == 1


def test_a_check_changes_nothing(account: str, cluster: FakeCluster) -> None:
    assert "Everything is in order" in run("deploy", "--check")
    assert cluster.deployed == []


def test_the_reason_of_a_start_that_failed_is_the_line(account: str, cluster: FakeCluster, fails: Fails) -> None:
    trace = "Traceback\n  File x\nserve_app.domain.user_error.UserError: the data folder is in use"
    cluster.states = [None, state("DEPLOY_FAILED", running=0, message=trace)]
    assert "the data folder is in use" in fails("deploy")


def test_a_refused_model_is_named_although_the_service_runs(account: str, cluster: FakeCluster, fails: Fails) -> None:
    cluster.refused = ["refused: extractor: not enough words"]
    assert "with its older model: refused: extractor" in fails("deploy")


def test_what_does_not_start_in_time_is_named(
    account: str, cluster: FakeCluster, fails: Fails, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = iter(range(10_000))
    monkeypatch.setattr("serve_app.commands.deploy.monotonic", lambda: next(seconds))
    cluster.states = [None, state("DEPLOYING", running=1)]
    assert "still waiting for Reader" in fails("deploy", "--timeout", "30")


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"max_running_per_account": -1}, "MAX_RUNNING_PER_ACCOUNT"),
        ({"wait_seconds": 500}, "WAIT_SECONDS"),
        ({"max_runing": 1}, "unknown settings: max_runing"),
    ],
)
def test_refused_values_never_reach_ray(
    folder: Path, account: str, cluster: FakeCluster, fails: Fails, settings: dict[str, object], problem: str
) -> None:
    assert problem in fails("deploy", written(folder, **settings))
    assert cluster.deployed == []


def test_missing_keys_never_reach_ray(account: str, cluster: FakeCluster, fails: Fails) -> None:
    cluster.nodes = 3
    assert "there is no signing key" in fails("deploy")
    assert cluster.deployed == []


def test_what_does_not_fit_never_reaches_ray(account: str, cluster: FakeCluster, fails: Fails) -> None:
    cluster.resources = {"CPU": 64}
    assert "need 1 GPUs, and Ray has 0" in fails("deploy")
    cluster.resources = {"CPU": 4, "GPU": 1}
    assert "CPUs, and Ray has 4" in fails("deploy")
    assert cluster.deployed == []
    assert "look   capacity" in run("deploy", "--allow-fewer")
    assert len(cluster.deployed) == 1


def test_a_refused_model_never_reaches_ray(
    account: str, cluster: FakeCluster, fails: Fails, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = [("Extractor", Tried(None, "it needs a verdict that it has passed"))]
    monkeypatch.setattr("serve_app.commands.models.tried_models", lambda path: iter(refused))
    assert "models: Extractor: it needs a verdict" in fails("deploy")
    assert cluster.deployed == []


def test_a_mail_server_that_is_down_delays_no_deploy(
    account: str, cluster: FakeCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMTP_URL", f"smtp://user:hush-hush@127.0.0.1:{free_port()}")
    monkeypatch.setenv("MAIL_FROM", "i@mail.example")
    monkeypatch.setenv("PUBLIC_URL", "https://invoices.example")
    assert "FAILS  mail" in run("deploy")
    assert len(cluster.deployed) == 1


def test_the_least_of_the_shipped_configuration_is_what_its_page_says() -> None:
    needs = needs_of(GRAPH)
    assert (needs.cpus, needs.gpus) == (10, 1)


def test_it_waits_for_a_ray_that_starts_beside_it(
    account: str, cluster: FakeCluster, fails: Fails, monkeypatch: pytest.MonkeyPatch
) -> None:
    """systemd starts both at once, and a start that failed is what an operator would see."""
    asked: list[int] = []

    def reach() -> FakeCluster:
        asked.append(1)
        if len(asked) % 3:
            raise CommandError("no Ray answers")
        return cluster

    monkeypatch.setattr(deploying, "_reached", reach)
    assert "The service runs" in run("deploy", "--wait-for-ray", "60")
    assert "no Ray answers" in fails("deploy")
    assert len(asked) == 4
