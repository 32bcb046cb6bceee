"""`invoices models list`, `show`, `fetch`, `promote` and `rollback`: versions of models that never change."""

import importlib
from pathlib import Path
from typing import Annotated, Any

import typer

from serve_app.domain.model_pairs import Place

_VERSION = "NAME@HASH; the first 12 digits of the hash are enough"
_MODEL = "A checkpoint's folder, a version, or a JSON or YAML file of a user_config; else the bundled model."

Why = Annotated[str, typer.Option("--why", metavar="REASON", help="Recorded in the history.")]


def list_versions() -> None:
    """List the versions in the registry (MODEL_REGISTRY)."""
    _command().show_all()


def show(name: Annotated[str, typer.Argument(metavar="NAME[@HASH]", help="A model, or one version of it.")]) -> None:
    """Show the source and the history of versions: promotions and loads."""
    _command().show_one(name)


def card(
    version: Annotated[str, typer.Argument(metavar="VERSION", help=f"{_VERSION}.")],
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write it to a file instead.")] = None,
) -> None:
    """Print the model card of a version: data, licence, figures by field, limits, calibration, commit and hours."""
    _command().write_card(version, out)


def fetch(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE",
            help="A checkpoint's folder, s3://BUCKET/PREFIX, OWNER/NAME or OWNER/NAME@REVISION on the Hugging Face Hub,"
            " or a JSON or YAML file of a user_config with one of these.",
        ),
    ],
    place: Annotated[Place, typer.Option("--as", help="The model that it can replace.")],
    name: Annotated[str, typer.Option(help="Its name.")],
    licence: Annotated[str | None, typer.Option(help="Its licence.")] = None,
    calibration: Annotated[Path | None, typer.Option(metavar="FILE", help="The calibration of its pair.")] = None,
) -> None:
    """Add a checkpoint to the registry as a version named by the hash of its files.

    It is loaded once in a process of its own: without complete weights, a known architecture, a tokenizer and labels it
    is refused.
    """
    command = _command()
    command.fetch_version(command.VersionRequest(source, place.value, name, licence, calibration))


def promote(
    version: Annotated[str, typer.Argument(metavar="VERSION", help=f"{_VERSION}.")],
    gate: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Verdict of a passed `invoices models check`.")
    ] = None,
    force: Annotated[
        str | None,
        typer.Option(
            metavar="REASON",
            help="Promote without a passed gate; recorded in the history. A version that was altered or that cannot be"
            " loaded is still refused.",
        ),
    ] = None,
) -> None:
    """Make a version the current one of its model, and print what to deploy. No deployment is changed."""
    _command().promote(version, gate, force)


def roll_back(name: Annotated[str, typer.Argument(metavar="NAME", help="The model's name.")], why: Why = "") -> None:
    """Undo the last promotion of a model, and print what to deploy. No deployment is changed."""
    _command().roll_back(name, why)


def bind(
    calibration: Annotated[Path, typer.Argument(metavar="FILE", help="A calibration of before version 1.1.")],
    extractor: Annotated[str | None, typer.Option(metavar="MODEL", help=_MODEL)] = None,
    verifier: Annotated[str | None, typer.Option(metavar="MODEL", help=_MODEL)] = None,
) -> None:
    """Bind a calibration that has only the names of its models to their files, which you say are those it was fitted
    on. Without that no value is high by it."""
    importlib.import_module("models.binding").bind(calibration, extractor, verifier)


def _command() -> Any:
    # Imported by name, because the service must not depend on the code that evaluates and keeps models.
    return importlib.import_module("models.registry.command")
