"""`invoices models`: which model every replica of a running cluster runs, and what it refused."""

import contextlib
import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from serve_app.commands.errors import CommandError
from serve_app.commands.terminal import complain, say

if TYPE_CHECKING:
    from actors.model_host import ModelStatus

DEPLOYMENTS = ("Extractor", "Verifier")
ANSWER_TIMEOUT_S = 30.0
# Each call reaches a random replica: at most this many calls per replica are made until all have answered.
_CALLS_A_REPLICA = 20

Check = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Instead, load and test the models of a Serve configuration here.")
]


def models(check: Check = None) -> None:
    """Print the model of every replica in the running cluster, and any refused ones.

    Exits with 1 if a model was refused. --check tests models beforehand: it needs no cluster and changes nothing.
    """
    outcomes = list(_check(check) if check else _report())
    if not all(outcomes):
        raise typer.Exit(1)


def _check(path: Path) -> Iterator[bool]:
    """For each model in the configuration: whether it would be accepted."""
    from pydantic import ValidationError

    from models.registry import ModelConfig, load_model
    from serve_app.commands.local_graph import read_graph
    from serve_app.domain.user_error import UserError

    for deployment in read_graph(path)["applications"][0]["deployments"]:
        if "user_config" not in deployment:
            continue
        try:
            model = load_model(ModelConfig.model_validate(deployment["user_config"]))
        except (ValidationError, UserError) as error:
            complain(f"{deployment['name']}: refused: {_line(error)}")
            yield False
        else:
            say(f"{deployment['name']}: {model.revision}")
            yield True


def _report() -> Iterator[bool]:
    """For each replica: whether it runs its configured model."""
    with reached_cluster():
        for deployment in DEPLOYMENTS:
            for replica, status in sorted(statuses(deployment).items()):
                for line in describe(deployment, replica, status):
                    say(line)
                yield status is None or status.refusal is None


def describe(deployment: str, replica: str, status: "ModelStatus | None") -> Iterator[str]:
    """A line for a replica's model, and another for a refused configuration."""
    if status is None:
        yield f"{deployment} {replica}: no model yet"
        return
    yield f"{deployment} {replica}: {status.revision} since {status.since:%Y-%m-%d %H:%M:%S} UTC"
    if status.refusal is not None:
        checkpoint = status.refusal.user_config.get("checkpoint")
        yield f"    refused {status.refusal.at:%Y-%m-%d %H:%M:%S} UTC: {checkpoint}: {_line(status.refusal.reason)}"


def _line(reason: object) -> str:
    return " ".join(str(reason).split())


@contextlib.contextmanager
def reached_cluster() -> Iterator[None]:
    """Connect to the cluster that RAY_ADDRESS names, or to this machine's. Raises CommandError if there is none."""
    from serve_app.ray_environment import ray_environment

    # Must precede the first import of Ray, which reads some of it then.
    os.environ.update(ray_environment())
    import ray

    if ray.is_initialized():
        yield
        return
    try:
        ray.init(address=os.environ.get("RAY_ADDRESS", "auto"), log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise CommandError(f"cannot reach a cluster: {_line(error)} (set RAY_ADDRESS and RAY_AUTH_TOKEN)") from error
    try:
        yield
    finally:
        ray.shutdown()


def statuses(deployment: str) -> "dict[str, ModelStatus | None]":
    """The status of each running replica of the deployment, by its id. Raises CommandError if one does not answer."""
    from ray import serve
    from ray.exceptions import RayError
    from ray.serve.exceptions import RayServeException

    found: dict[str, ModelStatus | None] = {}
    try:
        name, running = _application(serve.status(), deployment)
        handle = serve.get_deployment_handle(deployment, name)
        for _ in range(_CALLS_A_REPLICA * running):
            replica, status = handle.status.remote().result(timeout_s=ANSWER_TIMEOUT_S)
            found[replica] = status
            if len(found) == running:
                break
    except (RayError, RayServeException, TimeoutError) as error:
        raise CommandError(f"{deployment} does not answer: {_line(error)}") from error
    return found


def _application(status: Any, deployment: str) -> tuple[str, int]:
    """The application that contains the deployment, and how many of the deployment's replicas are running."""
    for name, application in status.applications.items():
        if deployment in application.deployments:
            return name, int(application.deployments[deployment].replica_states.get("RUNNING", 0))
    raise CommandError(f"the cluster does not run {deployment}")
