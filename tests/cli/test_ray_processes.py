"""A service on one machine starts only those of Ray's processes that it needs."""

from ray._private import services
from ray._private.node import Node

from serve_app.commands.ray_processes import only_needed_processes, without_agents

RAYLET = ["raylet", "--dashboard_agent_command=python agent.py --head", "--runtime_env_agent_command=python main.py"]


def test_the_raylet_gets_agents_that_only_wait() -> None:
    started: dict[str, list[str]] = {}
    start = without_agents(lambda command, process_type: started.update({process_type: command}))
    start(RAYLET, "raylet")
    start(["gcs_server"], "gcs_server")
    waiting = "sh -c 'exec sleep infinity'"
    assert started["raylet"] == [
        "raylet",
        f"--dashboard_agent_command={waiting}",
        f"--runtime_env_agent_command={waiting}",
    ]
    assert started["gcs_server"] == ["gcs_server"]


def test_other_clusters_of_the_process_start_all() -> None:
    before = services.start_ray_process, Node.start_monitor, Node.start_api_server
    with only_needed_processes():
        Node.start_api_server(None, include_dashboard=False, raise_on_failure=False)  # type: ignore[arg-type]
        Node.start_monitor(None)  # type: ignore[arg-type, no-untyped-call]
    assert (services.start_ray_process, Node.start_monitor, Node.start_api_server) == before
