"""`invoices deploy`: puts a Serve configuration on a running Ray, once all that can be checked before is in order, and
waits until its replicas run."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer

from serve_app.commands import preflight
from serve_app.commands.changes import record
from serve_app.commands.checks import checks, tried
from serve_app.commands.errors import CommandError
from serve_app.commands.local_graph import DEFAULT_CONFIG, Graph, read_graph
from serve_app.commands.stores import run_on_store
from serve_app.commands.terminal import say

if TYPE_CHECKING:
    from serve_app.settings import Settings

POLL_SECONDS = 2.0
_ADDRESS = "http://127.0.0.1:8265"
"""Where Ray takes configurations, unless RAY_DASHBOARD_ADDRESS says otherwise."""
_ENDED_BADLY = ("DEPLOY_FAILED", "UNHEALTHY")

Application = Mapping[str, Any]
"""What Ray says of an application, in the form of Serve's ApplicationDetails."""


class Cluster(Protocol):
    """The Ray to deploy to."""

    nodes: int
    resources: Mapping[str, float]
    """All CPUs and GPUs that it has."""

    def application(self, name: str) -> Application | None:
        """What it runs under this name. Raises CommandError if it does not answer."""
        ...

    def deploy(self, graph: Graph) -> None:
        """Raises CommandError if the configuration is refused."""
        ...

    def refused_models(self) -> list[str]:
        """A line for each replica that runs an older model because it refused the new one."""
        ...


def deploy(
    config: Annotated[Path, typer.Argument(metavar="[CONFIG]", help="Serve configuration.")] = DEFAULT_CONFIG,
    check: Annotated[bool, typer.Option("--check", help="Check only, and change nothing.")] = False,
    allow_fewer: Annotated[
        bool,
        typer.Option("--allow-fewer", help="Deploy although not all replicas find a place: they wait for machines."),
    ] = False,
    timeout: Annotated[float, typer.Option(min=1, metavar="SECONDS", help="How long to wait for the replicas.")] = 900,
    wait_for_ray: Annotated[
        float, typer.Option("--wait-for-ray", min=0, metavar="SECONDS", help="How long to wait until Ray answers.")
    ] = 0,
) -> None:
    """Deploy the service to a running Ray, and wait until all its replicas run.

    Configuration, database, files, keys, models and capacity are checked before anything changes. Exit code 1 and one
    line say what is wrong, and what to do.
    """
    graph = read_graph(config)
    settings = _settings(graph)
    cluster = _awaited(wait_for_ray)
    _check_capacity(graph, cluster, allow_fewer=allow_fewer)
    _check(config, settings, cluster)
    if check:
        say("Everything is in order; nothing was changed.")
        return
    began = monotonic()
    _apply(graph, cluster, timeout)
    run_on_store(settings, lambda store: record(store, None, "service.deployed", config.name))
    say(f"The service runs, after {monotonic() - began:.0f} s.")


def _settings(graph: Graph) -> "Settings":
    """As the application will read them. Raises UserError for values that it refuses."""
    from serve_app.settings.app_args import AppArgs
    from serve_app.settings.reading import read_settings

    args = AppArgs.model_validate(graph["applications"][0].get("args") or {})
    return read_settings(**args.settings)


def _check(config: Path, settings: "Settings", cluster: Cluster) -> None:
    """Raises CommandError for the first part without which the service does not start. A mail server that does not
    answer now keeps no document from being read; unusable settings of mail do."""
    preflight.check_mail(settings)
    for name, one in checks(config, cluster.nodes):
        verdict, text = tried(one, settings)
        say(f"{verdict:<6} {name:<8} {text}")
        if verdict == "FAILS" and name != "mail":
            raise CommandError(f"{name}: {text}; nothing was changed")


@dataclass(frozen=True, slots=True)
class Needs:
    """What the fewest replicas of a configuration reserve."""

    cpus: float
    gpus: float


def needs_of(graph: Graph) -> Needs:
    """With Serve's defaults for what is omitted."""
    cpus = gpus = 0.0
    for deployment in graph["applications"][0]["deployments"]:
        count, options = fewest_replicas(deployment), deployment.get("ray_actor_options") or {}
        cpus += count * options.get("num_cpus", 1)
        gpus += count * options.get("num_gpus", 0)
    return Needs(cpus, gpus)


def fewest_replicas(deployment: Mapping[str, Any]) -> int:
    """Of those that Serve starts at once."""
    scaling = deployment.get("autoscaling_config")
    given = deployment.get("num_replicas", 1) if scaling is None else scaling.get("min_replicas", 1)
    return given if isinstance(given, int) else 1


def _check_capacity(graph: Graph, cluster: Cluster, *, allow_fewer: bool) -> None:
    needs = needs_of(graph)
    verdict, text = "ok", f"{needs.cpus:g} CPUs and {needs.gpus:g} GPUs are needed at least, and are there"
    for unit, needed in (("CPU", needs.cpus), ("GPU", needs.gpus)):
        if needed > (there := cluster.resources.get(unit, 0)):
            verdict = "look"
            text = f"the fewest replicas of the configuration need {needed:g} {unit}s, and Ray has {there:g}"
            if not allow_fewer:
                raise CommandError(
                    f"{text}: add machines, lower min_replicas, num_replicas or num_{unit.lower()}s, or use "
                    "--allow-fewer; nothing was changed"
                )
    say(f"{verdict:<6} capacity {text}")


def _apply(graph: Graph, cluster: Cluster, timeout: float) -> None:
    """Deploy, and print what becomes ready. Raises CommandError unless all replicas run the new configuration."""
    name = graph["applications"][0]["name"]
    before = _deployed_at(cluster.application(name))
    cluster.deploy(graph)
    ready: set[str] = set()
    end = monotonic() + timeout
    awaited = "Ray Serve"
    while monotonic() < end:
        application = cluster.application(name)
        if application is not None and _deployed_at(application) != before:
            if application["status"] in _ENDED_BADLY:
                raise CommandError(f"the service did not start: {_problem(application)}; the logs of Ray have more")
            waiting = [*_waiting(application)]
            for each in application["deployments"].keys() - waiting - ready:
                ready.add(each)
                say(f"  {each} runs")
            if application["status"] == "RUNNING" and not waiting:
                return _refuse_old_models(cluster)
            awaited = ", ".join(sorted(waiting)) or awaited
        sleep(POLL_SECONDS)
    raise CommandError(
        f"after {timeout:.0f} s still waiting for {awaited}: look at `invoices env serve status`; Ray goes on trying"
    )


def _deployed_at(application: Application | None) -> float | None:
    return None if application is None else application["last_deployed_time_s"]


def _waiting(application: Application) -> Iterator[str]:
    """The deployments that do not yet have all their replicas."""
    for name, deployment in application["deployments"].items():
        running = sum(replica["state"] == "RUNNING" for replica in deployment["replicas"])
        if deployment["status"] != "HEALTHY" or running < (deployment["target_num_replicas"] or 0):
            yield name


def _problem(application: Application) -> str:
    """The line of Serve's messages that gives the reason: the last one of a stack trace that is not indented."""
    messages = [application["message"], *(each["message"] for each in application["deployments"].values())]
    lines = [line for text in messages for line in text.splitlines() if line.strip() and not line.startswith(" ")]
    return lines[-1].strip() if lines else "Ray gives no reason"


def _refuse_old_models(cluster: Cluster) -> None:
    if refused := cluster.refused_models():
        raise CommandError(
            f"the service runs, but with its older model: {refused[0]}; correct user_config and deploy again "
            "(`invoices models` shows all replicas)"
        )


def _awaited(seconds: float) -> Cluster:
    """Raises CommandError unless Ray answers within this time; it is asked once at least."""
    end = monotonic() + seconds
    while True:
        try:
            return _reached()
        except CommandError:
            if monotonic() >= end:
                raise
        sleep(POLL_SECONDS)


def _reached() -> Cluster:
    """The Ray of this machine, or of RAY_DASHBOARD_ADDRESS."""
    from serve_app.commands.ray_cluster import RayCluster

    return RayCluster(os.environ.get("RAY_DASHBOARD_ADDRESS", _ADDRESS))
