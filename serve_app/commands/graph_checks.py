"""Finds what a Serve configuration misspells, before Ray is loaded: Ray ignores keys that it does not know, and reports
wrong models only once everything else has started."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from models.chosen import check_place
from models.config import ModelError, parse_model
from serve_app.domain.model_pairs import FIRST, Place, deployment_of
from serve_app.domain.suggestions import described, suggestion
from serve_app.domain.user_error import UserError
from serve_app.settings.app_args import AppArgs

KEYS: dict[str, list[str]] = json.loads((Path(__file__).parent / "serve_keys.json").read_text(encoding="utf-8"))
"""The keys of Ray's own schemas, by the part of the configuration; a test compares them."""
DEPLOYMENTS = ("Ingress", "Dispatcher", "Delivery", "Mailroom", "Reader", "Reconciler", "Extractor", "Verifier")


def check_graph(graph: Mapping[str, Any]) -> None:
    """Raises UserError, which names the place, for the first key, deployment or setting that is not known."""
    _check_keys("", graph, "")
    _check_keys("http_options", graph.get("http_options"), "http_options")
    application = graph["applications"][0]
    _check_keys("applications", application, "applications")
    known = {*DEPLOYMENTS, *_further(_args(application))}
    for deployment in application["deployments"]:
        name = str(deployment["name"])
        if name not in known:
            raise UserError(f"deployments: there is no {name}{suggestion(name, known)}")
        _check_deployment(name, deployment)


def check_models_here(graph: Mapping[str, Any]) -> None:
    """Raises UserError for a model that is not on this machine, in a valid configuration. Nothing is loaded."""
    for deployment in graph["applications"][0]["deployments"]:
        if "user_config" in deployment:
            with _about(str(deployment["name"])):
                check_place(parse_model(deployment["user_config"]))


@contextmanager
def _about(deployment: str) -> Iterator[None]:
    try:
        yield
    except ModelError as error:
        raise UserError(f"{deployment}.user_config: {error}") from error


def _check_deployment(name: str, deployment: Mapping[str, Any]) -> None:
    _check_keys(name, deployment, "deployments")
    for part in ("ray_actor_options", "autoscaling_config"):
        _check_keys(f"{name}.{part}", deployment.get(part), part)
    if "user_config" in deployment:
        with _about(name):
            parse_model(deployment["user_config"])


def _args(application: Mapping[str, Any]) -> AppArgs:
    try:
        return AppArgs.model_validate(application.get("args") or {})
    except ValidationError as error:
        raise UserError(f"args: {described(error, AppArgs)}") from error


def _further(args: AppArgs) -> Iterator[str]:
    """The deployments of the pairs beside the first one."""
    for pair, places in args.pairs.items():
        yield from (deployment_of(Place(place), pair) for place in places if pair != FIRST)


def _check_keys(place: str, value: object, part: str) -> None:
    """Nothing is said about what is not there, or is no object: Ray refuses that itself."""
    for key in value if isinstance(value, Mapping) else ():
        if key not in KEYS[part]:
            raise UserError(f"{place}{'.' if place else ''}{key}: unknown key{suggestion(str(key), KEYS[part])}")
