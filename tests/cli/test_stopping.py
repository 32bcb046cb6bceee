"""`invoices serve` stops its replicas gracefully, and whoever supervises it waits for that."""

import re
from pathlib import Path

import pytest
import yaml
from ray import serve
from ray.serve import context

from serve_app.commands import local_cluster, local_graph

ROOT = Path(__file__).parents[2]
PERIOD = "RAY_SERVE_DIRECT_INGRESS_MIN_DRAINING_PERIOD_S"


class Client:
    """In place of Serve's."""

    def __init__(self) -> None:
        self.waited: list[float] = []

    def shutdown(self, timeout_s: float) -> None:
        self.waited.append(timeout_s)


def test_replicas_have_as_long_as_their_configuration_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """Serve's own `shutdown` ends them after 30 s."""
    client = Client()
    monkeypatch.setattr(context, "_get_global_client", lambda: client)
    for name in ("start", "run_many", "shutdown"):
        monkeypatch.setattr(serve, name, lambda *_, **__: None)
    with local_cluster.local_serve(None, "invoices", {}):  # type: ignore[arg-type]
        assert client.waited == []
    graph = yaml.safe_load((ROOT / "config" / "serve.yaml").read_text())["applications"][0]["deployments"]
    assert client.waited[0] > max(each["graceful_shutdown_timeout_s"] for each in graph)


def test_supervisors_wait_longer_than_replicas_take_to_stop() -> None:
    longest = local_cluster.SERVE_STOP_S + local_cluster.TIMEOUT_S
    units = (ROOT / "deploy" / "systemd" / "invoices-.service.d" / "10-common.conf").read_text()
    compose = (ROOT / "deploy" / "compose" / "compose.yaml").read_text()
    for pattern, text in ((r"TimeoutStopSec=(\d+)", units), (r"stop_grace_period: (\d+)s", compose)):
        (seconds,) = re.findall(pattern, text)
        assert int(seconds) > longest


def test_no_load_balancer_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PERIOD, raising=False)
    assert float(local_graph.environment()[PERIOD]) <= 1
    monkeypatch.setenv(PERIOD, "20")
    assert PERIOD not in local_graph.environment()
