"""`invoices models`: which model every replica of a running cluster runs, and what it refused."""

import contextlib
import logging
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from serve_app.commands.errors import CommandError
from serve_app.commands.evaluation import import_evaluation, require_checkout
from serve_app.commands.model_options import check_model, check_options
from serve_app.commands.ray_sockets import check_sockets, local_address, loopback_environment
from serve_app.commands.terminal import complain, say
from serve_app.domain.model_identity import ModelIdentity
from serve_app.domain.model_pairs import FIRST, Place, deployment_of
from serve_app.reconciling.calibrations import load_calibrations
from serve_app.settings.reading import read_settings

if TYPE_CHECKING:
    from actors.model_host import ModelStatus
    from models.footprint import Tried

ANSWER_TIMEOUT_S = 30.0
# Each call reaches a random replica: at most this many calls per replica are made until all have answered.
_CALLS_A_REPLICA = 20

Check = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Load and test the models of a Serve configuration on this machine instead."),
]


models_app = typer.Typer(help="The models that read documents.", no_args_is_help=False)
_MODEL = "A checkpoint's folder, or a JSON or YAML file of its user_config"


@models_app.callback(invoke_without_command=True)
def models(context: typer.Context, check: Check = None) -> None:
    """Print the model of each replica in the running cluster, and refused models.

    Exits with 1 if a model was refused. --check tests models before a deployment; it needs no cluster and changes
    nothing.
    """
    if context.invoked_subcommand is not None:
        return
    outcomes = list(_check(check) if check else _report())
    if not all(outcomes):
        raise typer.Exit(1)


@models_app.command("check")
def check_candidate(
    candidate: Annotated[str, typer.Argument(metavar="MODEL", help=f"{_MODEL}.")],
    place: Annotated[Place, typer.Option("--as", help="The model that it would replace.")],
    data: Annotated[
        list[Path] | None,
        typer.Option(metavar="DIR", help="Labelled documents besides the generated ones; can be repeated."),
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder for the verdict.")] = Path("gate"),
    extractor: Annotated[str | None, typer.Option(metavar="MODEL", help=f"{_MODEL}; else the bundled one.")] = None,
    verifier: Annotated[str | None, typer.Option(metavar="MODEL", help=f"{_MODEL}; else the bundled one.")] = None,
    calibration: Annotated[Path | None, typer.Option(help="Calibration of the candidate's pair, or a folder.")] = None,
    cache: Annotated[
        Path | None, typer.Option(help="Cache for the words of documents, as of `invoices evaluate`.")
    ] = None,
) -> None:
    """Compare a candidate with the model that it would replace, and write a verdict.

    Exits with 1 if it did not pass. A deployment's `gate` names the verdict that its model must have passed.
    """
    require_checkout()
    check_options(*(data or ()), extractor=extractor, verifier=verifier, calibration=calibration)
    check_model(candidate, place)
    command = import_evaluation("models.evaluation.gate.command")
    folders = tuple(data or ())
    options = command.Options(candidate, place.value, out, folders, extractor, verifier, calibration, cache)
    if not command.check(options):
        raise typer.Exit(1)


@models_app.command("export")
def export_model(
    model: Annotated[str, typer.Argument(metavar="MODEL", help=f"{_MODEL}.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="Folder for the exported checkpoint; must be new.")],
    place: Annotated[Place, typer.Option("--as", help="For a folder: the kind of model, as which it is loaded.")],
    int8: Annotated[
        Path | None,
        typer.Option("--int8", metavar="DIR", help="Quantise, calibrated with documents of this folder."),
    ] = None,
    count: Annotated[int, typer.Option(min=2, help="Documents of DIR: half calibrate, half compare.")] = 50,
) -> None:
    """Export a token classifier for ONNX Runtime and OpenVINO, and compare both with torch."""
    require_checkout()
    check_options(*([int8] if int8 else ()))
    check_model(model, place)
    command = import_evaluation("models.evaluation.graphs.command")
    command.export(command.Options(model, place.value, out, int8, count))


def _check(path: Path) -> Iterator[bool]:
    """For each model in the configuration: whether it would be accepted."""
    accepted: dict[str, ModelIdentity] = {}
    for name, found in tried_models(path):
        if found.refused is None:
            say(f"{name}: {found.revision}, {found.megabytes} MB")
            accepted[name] = ModelIdentity(found.revision or "", found.sha256)
        else:
            complain(f"{name}: refused: {found.refused}")
        yield found.refused is None
    for problem in _without_calibration(accepted):
        complain(problem)


def _without_calibration(models: Mapping[str, ModelIdentity]) -> Iterator[str]:
    """For each pair of models, named by their deployments, why none of its values is `high`. A pair without a model in
    one place uses the first pair's."""
    calibrations = load_calibrations(read_settings().calibration)
    for pair in sorted({name.partition("-")[2] or FIRST for name in models}):
        extractor, verifier = (models.get(deployment_of(each, pair), models.get(deployment_of(each))) for each in Place)
        if extractor and verifier and (problem := calibrations.problem(extractor, verifier)):
            yield f"pair {pair}: no value is high: {problem}"


def tried_models(path: Path) -> "Iterator[tuple[str, Tried]]":
    """Load and test each model in the configuration, by the name of its deployment. Raises CommandError if the
    configuration cannot be read, or names a pair of models wrongly."""
    from serve_app.commands.graph_checks import check_models_here
    from serve_app.commands.local_graph import read_graph

    graph = read_graph(path)
    check_models_here(graph)
    # Imported here because it brings the runtimes of models.
    from models.footprint import tried

    for deployment in graph["applications"][0]["deployments"]:
        if "user_config" in deployment:
            yield deployment["name"], tried(deployment["user_config"])


def _report() -> Iterator[bool]:
    """For each replica: whether it runs its configured model."""
    with reached_cluster():
        for deployment in running_deployments():
            for replica, status in sorted(statuses(deployment).items()):
                for line in describe(deployment, replica, status):
                    say(line)
                yield status is None or status.refusal is None


def describe(deployment: str, replica: str, status: "ModelStatus | None") -> Iterator[str]:
    """A line for a replica's model, and another for a refused configuration."""
    if status is None:
        yield f"{deployment} {replica}: no model yet"
        return
    if status.revision is None:
        yield f"{deployment} {replica}: no model"
    else:
        yield f"{deployment} {replica}: {status.revision} since {status.since:%Y-%m-%d %H:%M:%S} UTC"
    if status.refusal is not None:
        checkpoint = status.refusal.user_config.get("checkpoint")
        yield f"    refused {status.refusal.at:%Y-%m-%d %H:%M:%S} UTC: {checkpoint}: {_line(status.refusal.reason)}"


def _line(reason: object) -> str:
    return " ".join(str(reason).split())


@contextlib.contextmanager
def reached_cluster() -> Iterator[None]:
    """Connect to the cluster that RAY_ADDRESS names, or to this machine's. Raises CommandError if there is none."""
    from serve_app.keys.ray_environment import ray_environment

    # Must precede the first import of Ray, which reads some of it then.
    os.environ.update({**loopback_environment(), **ray_environment()})
    import ray

    if ray.is_initialized():
        yield
        return
    check_sockets()
    try:
        address = os.environ.get("RAY_ADDRESS") or local_address()
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise CommandError(f"cannot reach a cluster: {_line(error)} (set RAY_ADDRESS and RAY_AUTH_TOKEN)") from error
    try:
        yield
    finally:
        ray.shutdown()


def running_deployments() -> list[str]:
    """The deployments with models of the application that the cluster runs, those of the first pair first."""
    from ray import serve

    first = [deployment_of(place) for place in Place]
    names = {name for application in serve.status().applications.values() for name in application.deployments}
    further = sorted(name for name in names if name.startswith(tuple(f"{each}-" for each in first)))
    return [*first, *further]


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
