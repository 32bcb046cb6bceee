"""Binds the deployments: the `import_path` of config/serve.yaml is `serve_app.app:build`."""

import logging
from collections.abc import Collection, Mapping
from functools import partial
from typing import Any

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
from actors.worker import MODELS, Coordinator, HostedHandle, Worker
from serve_app.domain.model_pairs import Place, Shadow, deployment_of
from serve_app.settings import Settings
from serve_app.settings.app_args import AppArgs
from serve_app.settings.reading import read_settings
from serve_app.wiring.startup_keys import keys_for_start

# By deployment name: the options of a deployment that config/serve.yaml may set, except its name.
Options = Mapping[str, Mapping[str, Any]]
# By name of a further pair of models: in which places it has a model of its own; the other one is the first pair's.
Pairs = Mapping[str, Collection[Place]]

_MODELS = {Place.EXTRACTOR: Extractor, Place.VERIFIER: Verifier}

log = logging.getLogger(__name__)


def build(args: dict[str, Any]) -> Application:
    """The application's graph, for `invoices deploy`. Settings are read here once, so every replica gets the same copy.
    Raises UserError if the settings, the keys or the cluster do not fit each other, or if another service works in the
    data folder or on the port."""
    checked = AppArgs.model_validate(args)
    settings = read_settings(**checked.settings)
    check_placement(settings)
    check_alone(settings)
    for name, places in checked.pairs.items():
        own = ", ".join(deployment_of(place, name) for place in places)
        log.info("beside the first pair of models: %s, with a process for each replica of %s", name, own)
    return bind(keys_for_start(settings, nodes=count_nodes()), {}, checked.pairs, checked.shadow)


def _configured(options: Options, deployment: Any, name: str | None = None) -> Deployment:
    name = name or deployment.name
    chosen: Deployment = deployment.options(name=name, **options.get(name, {}))
    return chosen


def bind(settings: Settings, options: Options, pairs: Pairs | None = None, shadow: Shadow | None = None) -> Application:
    """The same graph with the given options, for a caller that applies no configuration file; `settings` have keys."""
    configured = partial(_configured, options)
    reader, first, further = _models(settings, options, pairs or {})
    reconciler = configured(Reconciler).bind(settings, *first, further)
    delivery = configured(Delivery).bind(settings)
    dispatcher = configured(Dispatcher).bind(settings, reader, reconciler, delivery, tuple(further), shadow)
    mailroom = configured(Mailroom).bind(settings, dispatcher)
    return configured(Ingress).bind(settings, dispatcher, mailroom, *first, further=further)


def bind_local(
    settings: Settings, options: Options, pairs: Pairs | None = None, shadow: Shadow | None = None
) -> Application:
    """The same for one machine: what coordinates the others is one process."""
    reader, first, further = _models(settings, options, pairs or {})
    coordinator = _configured(options, Coordinator).bind(settings, reader, first, further, shadow)
    dispatcher, mailroom = (HostedHandle(coordinator, name) for name in ("Dispatcher", "Mailroom"))
    return _configured(options, Ingress).bind(settings, dispatcher, mailroom, *first, further=further)


def _models(
    settings: Settings, options: Options, pairs: Pairs
) -> tuple[Application, tuple[Application, ...], dict[str, tuple[Application, ...]]]:
    """The reader, extractor and verifier, and those of further pairs."""
    configured = partial(_configured, options)
    reader = configured(Reader).bind(settings)
    first = {place: configured(model).bind(settings, reader) for place, model in _MODELS.items()}
    further: dict[str, tuple[Application, ...]] = {}
    for pair, places in pairs.items():
        own = {
            place: configured(_MODELS[place], deployment_of(place, pair)).bind(settings, reader, is_further=True)
            for place in places
        }
        further[pair] = tuple((first | own).values())
    return reader, tuple(first.values()), further


def bind_together(settings: Settings, options: Options, *, preloads_ocr: bool) -> Application:
    """The same for a machine with few cores: one process answers HTTP, the other does everything else. `preloads_ocr`:
    have the OCR engine ready before the first picture."""
    worker = _configured(options, Worker).bind(settings, preloads_ocr=preloads_ocr)
    dispatcher, mailroom, *models = (HostedHandle(worker, name) for name in ("Dispatcher", "Mailroom", *MODELS))
    return _configured(options, Ingress).bind(settings, dispatcher, mailroom, *models)
