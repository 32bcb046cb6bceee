"""Binds the deployments: the `import_path` of config/serve.yaml is `serve_app.app:build`."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, JsonValue, model_validator
from ray.serve import Application, Deployment

from actors.delivery import Delivery
from actors.dispatcher import Dispatcher
from actors.extractor import Extractor
from actors.ingress import Ingress
from actors.reader import Reader
from actors.stores import check_placement
from actors.verifier import Verifier
from serve_app.settings import Settings

# By deployment name: the options of a deployment that config/serve.yaml may set, except its name.
Options = Mapping[str, Mapping[str, Any]]


class AppArgs(BaseModel):
    """The `args` of the application. `settings` overrides individual settings, with precedence over the environment."""

    model_config = ConfigDict(extra="forbid")

    settings: dict[str, JsonValue] = {}

    @model_validator(mode="after")
    def _check_names(self) -> "AppArgs":
        unknown = sorted(self.settings.keys() - Settings.model_fields.keys())
        if unknown:
            raise ValueError(f"unknown settings: {', '.join(unknown)}")
        return self


def build(args: dict[str, Any]) -> Application:
    """The application's graph. Settings are read here once, so every replica gets the same copy."""
    overrides: dict[str, Any] = AppArgs.model_validate(args).settings
    return bind(Settings(**overrides).resolved(), {})


def bind(settings: Settings, options: Options) -> Application:
    """The same graph with the given options, for a caller that applies no configuration file. Raises ValueError if the
    store serves a single machine and the cluster has several."""
    check_placement(settings)
    settings = settings.with_keys()

    def configured(deployment: Any) -> Deployment:
        chosen: Deployment = deployment.options(**options.get(deployment.name, {}))
        return chosen

    reader = configured(Reader).bind(settings)
    models = configured(Extractor).bind(reader), configured(Verifier).bind(reader)
    delivery = configured(Delivery).bind(settings)
    dispatcher = configured(Dispatcher).bind(settings, reader, *models, delivery)
    return configured(Ingress).bind(settings, dispatcher, *models)
