"""Ray that is started by a command waits for its agents like that of `invoices serve`."""

import sys
from collections.abc import Callable

import pytest
from ray._private import ray_constants, services
from ray.scripts import scripts

from serve_app.commands.head import head
from serve_app.commands.ray_start import ray_start
from serve_app.telemetry.service_log import LOG_VARIABLE

Started = dict[str, list[str]]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Started:
    """The commands of the processes that Ray would start, which are not started; the command line among them."""
    found: Started = {}

    def note(command: list[str], process_type: str, **_: object) -> services.ProcessInfo:
        found[process_type] = command
        return services.ProcessInfo(None, None, None, False, False, False, False, False)

    def start() -> None:
        found["ray"] = sys.argv
        for name in ("gcs_server", "raylet", "ray_client_server"):
            services.start_ray_process([name, "--metrics-agent-port=0"], name, fate_share=True)

    monkeypatch.setattr(services, "start_ray_process", note)
    monkeypatch.setattr(scripts, "main", start)
    monkeypatch.setattr(sys, "argv", sys.argv)
    monkeypatch.setenv("RAY_AUTH_TOKEN", "0" * 64)
    monkeypatch.setenv(LOG_VARIABLE, "/dev/null")
    return found


@pytest.mark.parametrize(
    "start", [lambda: head(["--port=6379"]), lambda: ray_start(["--address=10.0.0.1:6379"])], ids=["head", "env"]
)
def test_the_raylet_gets_the_ports_of_its_agents(started: Started, start: Callable[[], None]) -> None:
    start()
    assert started["ray"][:2] == ["ray", "start"]
    assert started["ray"][-1].endswith("6379")
    assert "--metrics-agent-port=0" not in started["raylet"]
    assert "--metrics-agent-port=0" in started["gcs_server"]


def test_the_client_server_of_a_head_is_for_this_machine_only(started: Started) -> None:
    head(["--port=6379"])
    assert started[ray_constants.PROCESS_TYPE_RAY_CLIENT_SERVER][-1] == "--host=127.0.0.1"
