"""The production graph of config/serve.yaml, reduced to one machine without GPUs."""

import math
import os
from pathlib import Path
from typing import Any

import yaml

from serve_app.commands.errors import CommandError
from serve_app.contradictions import GraphNumbers
from serve_app.ray_environment import ray_environment

DEFAULT_CONFIG = Path(__file__).parents[2] / "config" / "serve.yaml"
# How long a stopping replica may take: what it leaves unfinished is processed after the next start.
SHUTDOWN_SECONDS = 10
# Those that hold claims are given as long as in production, so that they can release them, but no longer than Serve
# waits for a shutdown.
CLAIMING = {"Dispatcher", "Delivery", "Mailroom"}
LONGEST_SHUTDOWN_SECONDS = 30
# Serve's own defaults.
SERVE_PORT = 8000
SERVE_ONGOING_REQUESTS = 5
SERVE_SHUTDOWN_SECONDS = 20
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
    options["graceful_shutdown_timeout_s"] = _shutdown_seconds(deployment)
    # The operating system schedules the cores: if replicas reserved them, not all would fit on two cores.
    options["ray_actor_options"] = {"num_cpus": 0}
    if "user_config" in options:
        options["user_config"] = {**options["user_config"], **CPU_MODEL}
    return options


def _shutdown_seconds(deployment: Graph) -> float:
    longest = LONGEST_SHUTDOWN_SECONDS if deployment["name"] in CLAIMING else SHUTDOWN_SECONDS
    return min(longest, float(deployment.get("graceful_shutdown_timeout_s", SERVE_SHUTDOWN_SECONDS)))


def numbers_of(graph: Graph) -> GraphNumbers:
    """What the settings must fit, from a Serve configuration, with Serve's defaults for what it omits."""
    http = graph.get("http_options", {})
    deployments = {deployment["name"]: deployment for deployment in graph["applications"][0]["deployments"]}

    def stop_seconds(name: str) -> float:
        return float(deployments.get(name, {}).get("graceful_shutdown_timeout_s", SERVE_SHUTDOWN_SECONDS))

    return GraphNumbers(
        port=http.get("port", SERVE_PORT),
        request_timeout_s=http.get("request_timeout_s") or math.inf,
        ingress_ongoing_requests=deployments.get("Ingress", {}).get("max_ongoing_requests", SERVE_ONGOING_REQUESTS),
        ingress_stop_s=stop_seconds("Ingress"),
        dispatcher_stop_s=stop_seconds("Dispatcher"),
        delivery_stop_s=stop_seconds("Delivery"),
    )


def local_numbers(graph: Graph, port: int) -> GraphNumbers:
    """The same on this machine. The Ingress keeps its number: Ctrl-C may cut off held calls, an update may not."""
    numbers = numbers_of(graph)
    changes = {
        "port": port,
        "dispatcher_stop_s": min(numbers.dispatcher_stop_s, LONGEST_SHUTDOWN_SECONDS),
        "delivery_stop_s": min(numbers.delivery_stop_s, LONGEST_SHUTDOWN_SECONDS),
    }
    return numbers.model_copy(update=changes)


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
        # By default Ray runs its workers at niceness 15: next to any other busy program they would hardly start.
        "RAY_worker_niceness": "0",
        # Serve's 5 s are too short for a proxy's first imports on a busy machine: it would be killed repeatedly.
        "RAY_SERVE_PROXY_READY_CHECK_TIMEOUT_S": "55",
        # Despite its name, this makes Ray use only the loopback address on Linux as well: its ports stay private.
        "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
    }
    return {name: value for name, value in wanted.items() if name not in os.environ} | ray_environment()
