"""config/serve.yaml contains only keys that Ray knows: Ray itself silently ignores unknown ones."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import BaseModel, ValidationError
from ray.serve.config import AutoscalingConfig
from ray.serve.schema import (
    DeploymentSchema,
    HTTPOptionsSchema,
    LoggingConfig,
    RayActorOptionsSchema,
    ServeApplicationSchema,
    ServeDeploySchema,
)

from models.loading import ModelConfig
from serve_app.app import build
from serve_app.commands.local_graph import numbers_of
from serve_app.domain.model_pairs import Shadow
from serve_app.settings.app_args import AppArgs
from serve_app.settings.graph import GraphNumbers

CONFIG = Path(__file__).parents[2] / "config"
FILES = sorted(CONFIG.glob("*.yaml"))

# The parts of a configuration; everything not listed here is a plain value.
PARTS: dict[type[BaseModel], dict[str, type[BaseModel]]] = {
    ServeDeploySchema: {
        "http_options": HTTPOptionsSchema,
        "logging_config": LoggingConfig,
        "applications": ServeApplicationSchema,
    },
    ServeApplicationSchema: {"deployments": DeploymentSchema, "args": AppArgs, "logging_config": LoggingConfig},
    DeploymentSchema: {
        "ray_actor_options": RayActorOptionsSchema,
        "autoscaling_config": AutoscalingConfig,
        "user_config": ModelConfig,
        "logging_config": LoggingConfig,
    },
}


def unknown_keys(value: Any, schema: type[BaseModel], path: str = "") -> Iterator[str]:
    """Paths of keys that `schema` does not have."""
    for item in value if isinstance(value, list) else [value]:
        for key, inner in item.items():
            if key not in schema.model_fields:
                yield f"{path}{key}"
            part = PARTS.get(schema, {}).get(key)
            if part is not None:
                yield from unknown_keys(inner, part, f"{path}{key}.")


def deployments(graph: dict[str, Any]) -> list[dict[str, Any]]:
    return [entry for application in graph["applications"] for entry in application["deployments"]]


@pytest.fixture(params=FILES, ids=[file.name for file in FILES])
def graph(request: pytest.FixtureRequest) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(request.param.read_text())
    return loaded


def test_there_is_a_configuration() -> None:
    assert CONFIG / "serve.yaml" in FILES


def test_every_key_is_known_to_ray(graph: dict[str, Any]) -> None:
    assert list(unknown_keys(graph, ServeDeploySchema)) == []


def test_every_value_is_valid(graph: dict[str, Any]) -> None:
    ServeDeploySchema.model_validate(graph)
    for deployment in deployments(graph):
        AutoscalingConfig.model_validate(deployment.get("autoscaling_config", {}))
        RayActorOptionsSchema.model_validate(deployment.get("ray_actor_options", {}))
        if "user_config" in deployment:
            ModelConfig.model_validate(deployment["user_config"])


def test_the_deployments_are_those_of_the_application(graph: dict[str, Any]) -> None:
    assert sorted(entry["name"] for entry in deployments(graph)) == sorted(bound_names(build({})))


def test_a_further_pair_has_deployments_of_its_own_where_it_has_models() -> None:
    plain = bound_names(build({}))
    further = {"candidate": ["extractor"], "older": ["extractor", "verifier"]}
    assert bound_names(build({"pairs": further})) - plain == {
        *("Extractor-candidate", "Extractor-older", "Verifier-older"),
    }


def test_only_a_pair_beside_the_first_one_can_read_along() -> None:
    args = {"pairs": {"new": ["extractor"]}, "shadow": {"pair": "new", "share": 0.5}}
    assert AppArgs.model_validate(args).shadow == Shadow(pair="new", share=0.5)
    for shadow in ({"pair": "other"}, {"pair": "first"}, {"pair": "new", "share": 0}):
        with pytest.raises(ValidationError, match="shadow"):
            AppArgs.model_validate({**args, "shadow": shadow})


@pytest.mark.parametrize(
    ("pairs", "reason"),
    [
        ({"first": ["extractor"]}, "cannot be a pair's name"),
        ({"A b": ["extractor"]}, "cannot be a pair's name"),
        ({"candidate": []}, "no own model"),
        ({"candidate": ["reader"]}, "'extractor' or 'verifier'"),
    ],
)
def test_a_wrong_pair_is_refused(pairs: dict[str, list[str]], reason: str) -> None:
    with pytest.raises(ValidationError, match=reason):
        AppArgs.model_validate({"pairs": pairs})


def test_every_deployment_sets_how_many_requests_it_takes(graph: dict[str, Any]) -> None:
    # Ray's default is 5: held calls and batches would starve.
    assert all("max_ongoing_requests" in entry for entry in deployments(graph))


def test_documents_are_read_in_a_sandbox_or_not_at_all(graph: dict[str, Any]) -> None:
    assert graph["applications"][0]["args"]["settings"]["sandbox"] == "required"
    image = (CONFIG.parent / "Dockerfile.gpu").read_text()
    assert "SANDBOX=required" in image


def test_the_application_gets_the_numbers_of_its_own_graph(graph: dict[str, Any]) -> None:
    configured = AppArgs.model_validate(graph["applications"][0]["args"]).settings["graph"]
    assert GraphNumbers.model_validate(configured) == numbers_of(graph)


def test_a_misspelt_key_is_found_at_every_depth() -> None:
    graph = {
        "http_option": {},
        "applications": [
            {
                "name": "a",
                "arg": {},
                "deployments": [{"name": "b", "num_replica": 1, "ray_actor_options": {"num_gpu": 1}}],
            }
        ],
    }
    assert list(unknown_keys(graph, ServeDeploySchema)) == [
        "http_option",
        "applications.arg",
        "applications.deployments.num_replica",
        "applications.deployments.ray_actor_options.num_gpu",
    ]


def bound_names(application: Any) -> set[str]:
    """Names of the deployments of a bound graph."""
    bound = application._bound_deployment
    arguments = [*bound.init_args, *bound.init_kwargs.values()]
    pairs = [pair for argument in arguments if isinstance(argument, dict) for pair in argument.values()]
    arguments += [model for pair in pairs for model in pair]
    inner = [bound_names(argument) for argument in arguments if hasattr(argument, "_bound_deployment")]
    return {bound.name}.union(*inner)
