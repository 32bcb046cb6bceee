"""Binds the deployments: the `import_path` of config/serve.yaml is `serve_app.app:build`."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, JsonValue, model_validator
from ray.serve import Application, Deployment

from actors.delivery import Delivery
from actors.dispatcher import Dispatcher
from actors.extractor import Extractor
from actors.ingress import Ingress
from actors.mailroom import Mailroom
from actors.reader import Reader
from actors.reconciler import Reconciler
from actors.stores import check_alone, check_placement, count_nodes
from actors.verifier import Verifier
from serve_app.read_settings import read_settings
from serve_app.settings import Settings
from serve_app.start_keys import keys_for_start

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
    """The application's graph, for `serve deploy`. Settings are read here once, so every replica gets the same copy.
    Raises UserError if the settings, the keys or the cluster do not fit each other, or if another service works in the
    data folder or on the port."""
    overrides: dict[str, Any] = AppArgs.model_validate(args).settings
    settings = read_settings(**overrides)
    check_placement(settings)
    check_alone(settings)
    return bind(keys_for_start(settings, nodes=count_nodes()), {})


def bind(settings: Settings, options: Options) -> Application:
    """The same graph with the given options, for a caller that applies no configuration file; `settings` have keys."""

    def configured(deployment: Any) -> Deployment:
        chosen: Deployment = deployment.options(**options.get(deployment.name, {}))
        return chosen

    reader = configured(Reader).bind(settings)
    models = configured(Extractor).bind(reader), configured(Verifier).bind(reader)
    reconciler = configured(Reconciler).bind(settings)
    delivery = configured(Delivery).bind(settings)
    dispatcher = configured(Dispatcher).bind(settings, reader, *models, reconciler, delivery)
    mailroom = configured(Mailroom).bind(settings, dispatcher)
    return configured(Ingress).bind(settings, dispatcher, mailroom, *models)
