"""A busy machine delays Ray's agents for longer than the raylet waits for their ports, so it is told them."""

from serve_app.commands.agent_ports import choosing_ports, free_ports, with_ports

RAYLET = [
    "raylet",
    "--min_worker_port=0",
    "--metrics-agent-port=0",
    "--metrics_export_port=0",
    "--runtime_env_agent_port=0",
    "--dashboard_agent_command=python agent.py --metrics-export-port=0 --grpc-port=0 --listen-port=52365 --id=0a",
    "--runtime_env_agent_command=python main.py --runtime-env-agent-port=0 --node-id=0a",
]


def test_the_raylet_and_its_agents_get_the_same_ports() -> None:
    assert with_ports(RAYLET, [21, 22, 23, 24]) == [
        "raylet",
        "--min_worker_port=0",
        "--metrics-agent-port=21",
        "--metrics_export_port=22",
        "--runtime_env_agent_port=23",
        "--dashboard_agent_command=python agent.py --metrics-export-port=22 --grpc-port=21 --listen-port=24 --id=0a",
        "--runtime_env_agent_command=python main.py --runtime-env-agent-port=23 --node-id=0a",
        "--dashboard_agent_listen_port=24",
    ]


def test_ports_that_the_operator_sets_stay() -> None:
    started: list[list[str]] = []
    start = choosing_ports(lambda command, _: started.append(command), ["--metrics-export-port=8080", "--num-cpus=2"])
    start([argument.replace("port=0", "port=8080") for argument in RAYLET], "raylet")
    assert "--metrics_export_port=8080" in started[0]
    assert "--metrics-agent-port=8080" not in started[0]


def test_only_the_command_of_the_raylet_is_changed() -> None:
    started: dict[str, list[str]] = {}

    def start(command: list[str], process_type: str) -> None:
        started[process_type] = command

    for process_type in ("gcs_server", "raylet"):
        choosing_ports(start)(["program", "--metrics-agent-port=0"], process_type)
    assert started["gcs_server"] == ["program", "--metrics-agent-port=0"]
    assert "--metrics-agent-port=0" not in started["raylet"]


def test_the_ports_differ() -> None:
    assert len(set(free_ports(50))) == 50
