"""The production graph of config/serve.yaml, reduced to one machine without GPUs."""

import math
import os
from pathlib import Path
from typing import Any

import yaml
from pydantic import TypeAdapter

from serve_app.commands.errors import CommandError
from serve_app.commands.graph_checks import check_graph
from serve_app.domain.model_pairs import Place, Shadow, check_further
from serve_app.domain.suggestions import nearest_path
from serve_app.domain.user_error import UserError
from serve_app.keys.ray_environment import ray_environment
from serve_app.settings.graph import GraphNumbers
from serve_app.system.shipped_files import SERVE_CONFIG

DEFAULT_CONFIG = SERVE_CONFIG
# How long a stopping replica may take: what it leaves unfinished is processed after the next start.
SHUTDOWN_SECONDS = 10
# Those that hold claims are given as long as in production, so that they can release them, but no longer than Serve
# waits for a shutdown.
CLAIMING = {"Dispatcher", "Delivery", "Mailroom"}
LONGEST_SHUTDOWN_SECONDS = 30
# How long an idle replica takes to stop. Serve stops them one after the other, callers first.
IDLE_SHUTDOWN_SECONDS = 0.3
MODELS = ("Extractor", "Verifier")
MOST_READERS = 4
FEW_CORES = 2
"""With more, one reader does not keep both models busy, and one Python interpreter would limit all of them."""
# Serve's own defaults.
SERVE_PORT = 8000
SERVE_ONGOING_REQUESTS = 5
SERVE_SHUTDOWN_SECONDS = 20
# Model options without a GPU: the number type is the fastest of the processor, as it was when the confidence was
# calibrated, and a budget for the memory of a GPU says nothing.
CPU_MODEL = {"device": "cpu", "precision": "auto", "token_budget": None}

TIMEOUTS = {
    # By default a proxy that starts is killed after 5 s, and Ray's other processes are given up after 30 or 60 s.
    "RAY_SERVE_PROXY_READY_CHECK_TIMEOUT_S": "55",
    "RAY_gcs_server_port_wait_time_s": "300",
    "RAY_gcs_rpc_server_connect_timeout_s": "60",
    "RAY_agent_register_timeout_ms": "600000",
    "RAY_worker_register_timeout_seconds": "600",
    # There is no other machine that could take over, so this one is not given up because it was busy, or stopped.
    "RAY_health_check_period_ms": "10000",
    "RAY_health_check_timeout_ms": "60000",
    "RAY_health_check_failure_threshold": "10",
}
"""How long Ray waits for the processes of a machine of one's own, which may be busy with other work."""
CALM = {
    # Nobody lists tasks, or asks how long Ray's own handlers took.
    "RAY_task_events_report_interval_ms": "0",
    "RAY_event_stats": "0",
    # By default the raylet looks four to ten times a second for what hardly ever changes here.
    "RAY_raylet_report_resources_period_milliseconds": "1000",
    "RAY_raylet_check_gc_period_milliseconds": "1000",
    "RAY_object_manager_timer_freq_ms": "1000",
    "RAY_kill_idle_workers_interval_ms": "1000",
    "RAY_local_fs_monitor_interval_ms": "1000",
    "RAY_memory_monitor_refresh_ms": "1000",
}
"""What Ray does less often on one machine."""

Graph = dict[str, Any]


def read_graph(path: Path) -> Graph:
    """The Serve configuration in a file. Raises CommandError if there is none, or if it misspells something."""
    try:
        graph = yaml.safe_load(path.read_text(encoding="utf-8"))
        names = [deployment["name"] for deployment in graph["applications"][0]["deployments"]]
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}{nearest_path(path)}") from error
    except (yaml.YAMLError, UnicodeDecodeError, LookupError, TypeError) as error:
        raise CommandError(f"{path}: not a Serve configuration ({' '.join(str(error).split())})") from error
    if not names:
        raise CommandError(f"{path}: no deployments")
    try:
        check_graph(graph)
    except UserError as error:
        raise CommandError(f"{path}: {error}") from error
    return dict(graph)


def pairs_of(graph: Graph) -> dict[str, list[Place]]:
    """The pairs of models beside the first one, each with the places in which it has a model of its own. Raises
    CommandError if the configuration is wrong about them."""
    return _tried(graph)[0]


def shadow_of(graph: Graph) -> Shadow | None:
    """The one of them that reads along. Raises CommandError as `pairs_of` does."""
    return _tried(graph)[1]


def _tried(graph: Graph) -> tuple[dict[str, list[Place]], Shadow | None]:
    args = graph["applications"][0].get("args") or {}
    try:
        pairs = TypeAdapter(dict[str, list[Place]]).validate_python(args.get("pairs", {}))
        shadow = TypeAdapter(Shadow | None).validate_python(args.get("shadow"))
        check_further(pairs, shadow)
    except ValueError as error:
        raise CommandError(f"args.pairs: {' '.join(str(error).split())}") from error
    return pairs, shadow


def local_options(graph: Graph) -> dict[str, Graph]:
    """The options of every deployment, by name: one replica, but readers for all cores; no GPU, no reserved cores,
    models on the CPU."""
    return {deployment["name"]: _local(deployment) for deployment in graph["applications"][0]["deployments"]}


def coordinated_options(graph: Graph) -> dict[str, Graph]:
    """The same where one process hosts the dispatcher: its options are the dispatcher's."""
    options = local_options(graph)
    return {**options, "Coordinator": options["Dispatcher"]}


def fits_in_one_process(graph: Graph) -> bool:
    """Whether one process does everything but HTTP best here."""
    return cores() <= FEW_CORES and not pairs_of(graph)


def check_small(graph: Graph) -> None:
    """Raises CommandError for a configuration that asks for more than a small service has."""
    if pairs_of(graph):
        raise CommandError("--small has no room for further pairs of models; remove `pairs`, or leave out --small")


def together_options(graph: Graph) -> dict[str, Graph]:
    """The options of the two deployments of a service where one process does everything but HTTP."""
    options = local_options(graph)
    models = {name: options[name]["user_config"] for name in MODELS}
    return {"Ingress": options["Ingress"], "Worker": {**options["Dispatcher"], "user_config": models}}


def _local(deployment: Graph) -> Graph:
    options = {key: value for key, value in deployment.items() if key not in {"name", "autoscaling_config"}}
    options["num_replicas"] = _readers() if deployment["name"] == "Reader" else 1
    options["graceful_shutdown_timeout_s"] = _shutdown_seconds(deployment)
    options["graceful_shutdown_wait_loop_s"] = IDLE_SHUTDOWN_SECONDS
    # The operating system schedules the cores: if replicas reserved them, not all would fit on two cores.
    options["ray_actor_options"] = {"num_cpus": 0}
    if "user_config" in options:
        options["user_config"] = {**options["user_config"], **CPU_MODEL}
    return options


def _readers() -> int:
    """A reader uses two cores. More than a few take more memory than a machine of one's own has to spare."""
    return min(MOST_READERS, max(1, cores() // 2))


def _shutdown_seconds(deployment: Graph) -> float:
    longest = LONGEST_SHUTDOWN_SECONDS if deployment["name"] in CLAIMING else SHUTDOWN_SECONDS
    return min(longest, float(deployment.get("graceful_shutdown_timeout_s", SERVE_SHUTDOWN_SECONDS)))


def numbers_of(graph: Graph) -> GraphNumbers:
    """What the settings must fit, from a Serve configuration, with Serve's defaults for what it omits."""
    http = graph.get("http_options", {})
    deployments = {deployment["name"]: deployment for deployment in graph["applications"][0]["deployments"]}

    def stop_seconds(name: str) -> float:
        return float(deployments.get(name, {}).get("graceful_shutdown_timeout_s", SERVE_SHUTDOWN_SECONDS))

    def fewest(name: str) -> int:
        found: int = deployments.get(name, {}).get("autoscaling_config", {}).get("min_replicas", 1)
        return found

    return GraphNumbers(
        port=http.get("port", SERVE_PORT),
        request_timeout_s=http.get("request_timeout_s") or math.inf,
        ingress_ongoing_requests=deployments.get("Ingress", {}).get("max_ongoing_requests", SERVE_ONGOING_REQUESTS),
        ingress_stop_s=stop_seconds("Ingress"),
        dispatcher_stop_s=stop_seconds("Dispatcher"),
        delivery_stop_s=stop_seconds("Delivery"),
        fewest_models=min(fewest(name) for name in MODELS),
    )


def local_numbers(graph: Graph, port: int) -> GraphNumbers:
    """The same on this machine. The Ingress keeps its number: Ctrl-C may cut off held calls, an update may not."""
    numbers = numbers_of(graph)
    changes = {
        "port": port,
        "fewest_models": 1,
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
    variables = {
        # Both models run at the same time, so each gets half of the cores.
        "OMP_NUM_THREADS": str(max(1, cores() // 2)),
        # Two malloc arenas per process instead of one per thread: saves tens of megabytes per process.
        "MALLOC_ARENA_MAX": "2",
        "TOKENIZERS_PARALLELISM": "false",
        "HF_HUB_OFFLINE": "1",
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
        # By default Ray runs its workers at niceness 15: next to any other busy program they would hardly start.
        "RAY_worker_niceness": "0",
        # Despite its name, this makes Ray use only the loopback address on Linux as well: its ports stay private.
        "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
        # Nobody asks for Ray's own metrics here; the service's have their own address.
        "RAY_enable_metrics_collection": "0",
        # By default each replica and each handle publishes those of Serve ten times a second, also where nobody asks.
        "RAY_SERVE_METRICS_EXPORT_INTERVAL_MS": "10000",
        # By default Serve looks after its replicas ten times a second.
        "RAY_SERVE_CONTROL_LOOP_INTERVAL_S": "0.5",
        # Behind HAProxy, Serve would keep a replica that stops for 30 s, for load balancers to notice. Here is none.
        "RAY_SERVE_DIRECT_INGRESS_MIN_DRAINING_PERIOD_S": "1",
        **TIMEOUTS,
        **CALM,
    }
    return ray_environment() | {name: value for name, value in variables.items() if name not in os.environ}
