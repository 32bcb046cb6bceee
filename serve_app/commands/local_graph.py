"""The production graph of config/serve.yaml, reduced to one machine without GPUs."""

import os
import secrets
from pathlib import Path
from typing import Any

import yaml

from serve_app.commands.errors import CommandError

DEFAULT_CONFIG = Path(__file__).parents[2] / "config" / "serve.yaml"
# How long a stopping replica may take; rows that it leaves unfinished are processed after the next start.
SHUTDOWN_SECONDS = 10
# Model options without a GPU: batching does not help on a CPU, and half precision is slow.
CPU_MODEL = {"device": "cpu", "precision": "float32", "token_budget": 2048}

Graph = dict[str, Any]


def read_graph(path: Path) -> Graph:
    """The Serve configuration in a file. Raises CommandError if there is none."""
    try:
        graph = yaml.safe_load(path.read_text(encoding="utf-8"))
        names = [deployment["name"] for deployment in graph["applications"][0]["deployments"]]
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from error
    except (yaml.YAMLError, UnicodeDecodeError, LookupError, TypeError) as error:
        raise CommandError(f"{path}: not a Serve configuration ({' '.join(str(error).split())})") from error
    if not names:
        raise CommandError(f"{path}: no deployments")
    return dict(graph)


def local_options(graph: Graph) -> dict[str, Graph]:
    """The options of every deployment, by name: one replica, no GPU, no reserved cores, models on the CPU."""
    return {deployment["name"]: _local(deployment) for deployment in graph["applications"][0]["deployments"]}


def _local(deployment: Graph) -> Graph:
    options = {key: value for key, value in deployment.items() if key not in {"name", "autoscaling_config"}}
    options["num_replicas"] = 1
    options["graceful_shutdown_timeout_s"] = SHUTDOWN_SECONDS
    # The operating system schedules the cores: if replicas reserved them, not all would fit on two cores.
    options["ray_actor_options"] = {"num_cpus": 0}
    if "user_config" in options:
        options["user_config"] = {**options["user_config"], **CPU_MODEL}
    return options


def local_http_options(graph: Graph, host: str, port: int) -> Graph:
    """The proxy's options, listening on `host`:`port`."""
    return {**graph.get("http_options", {}), "host": host, "port": port}


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0))


def environment() -> dict[str, str]:
    """The environment variables that the service's processes need, without those already set."""
    wanted = {
        # Both models run at the same time, so each gets half of the cores.
        "OMP_NUM_THREADS": str(max(1, cores() // 2)),
        # Two malloc arenas per process instead of one per thread: saves tens of megabytes per process.
        "MALLOC_ARENA_MAX": "2",
        "TOKENIZERS_PARALLELISM": "false",
        "HF_HUB_OFFLINE": "1",
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_SERVE_HTTP_PROXY_CALLBACK_IMPORT_PATH": "actors.proxy:middlewares",
        # By default Ray runs its workers at niceness 15: beside any other busy program they would hardly start.
        "RAY_worker_niceness": "0",
        # Serve's 5 s are too short for a proxy's first imports on a busy machine: it would be killed repeatedly.
        "RAY_SERVE_PROXY_READY_CHECK_TIMEOUT_S": "55",
        # Despite its name, this makes Ray use only the loopback address on Linux as well: its ports stay private.
        "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
        # Other users of this machine cannot use Ray's ports without the token, which is stored nowhere else.
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN": secrets.token_hex(32),
    }
    return {name: value for name, value in wanted.items() if name not in os.environ}
