"""The graph of stand-ins around the real dispatcher, and its Serve configuration."""

from typing import Any

from ray.serve import Application

from actors.dispatcher import Dispatcher
from benchmarks.scaling.stand_ins import Delivery, Extractor, Ingress, Reader, Reconciler, Verifier
from serve_app.settings import Settings

MOST = {"Dispatcher": 2, "Reader": 4, "Extractor": 4, "Verifier": 4, "Reconciler": 2}
_CALLS = {"Dispatcher": 16, "Reader": 2, "Extractor": 4, "Verifier": 4, "Reconciler": 2}
_DOWN_SECONDS = 5


def build(args: dict[str, Any]) -> Application:
    """The application that `graph` imports."""
    settings = Settings(**args["settings"])
    reader, extractor, verifier, delivery = map(_bound, (Reader, Extractor, Verifier, Delivery))
    reconciler = _bound(Reconciler, extractor, verifier)
    dispatcher = _bound(Dispatcher, settings, reader, reconciler, delivery)
    return _bound(Ingress, dispatcher, extractor, verifier)


def _bound(deployment: Any, *arguments: object) -> Application:
    bound: Application = deployment.bind(*arguments)
    return bound


def graph(settings: dict[str, Any], fewest: int) -> dict[str, Any]:
    """The configuration: one dispatcher, and `fewest` of everything else, as long as nothing waits. The policy and its
    intervals are those of config/serve.yaml, except that replicas are stopped sooner. Models take half a GPU each."""
    return {
        "applications": [
            {
                "name": "invoices",
                "route_prefix": "/",
                "import_path": "benchmarks.scaling.application:build",
                "args": {"settings": settings},
                "autoscaling_policy": {"policy_function": "actors.autoscaling:BacklogPolicy"},
                "deployments": [_deployment(name, fewest) for name in MOST]
                + [{"name": name, "ray_actor_options": {"num_cpus": 0}} for name in ("Ingress", "Delivery")],
            }
        ]
    }


def _deployment(name: str, fewest: int) -> dict[str, Any]:
    is_dispatcher = name == "Dispatcher"
    scaling: dict[str, Any] = {
        "min_replicas": 1 if is_dispatcher else fewest,
        "max_replicas": MOST[name],
        "target_ongoing_requests": _CALLS[name],
        "upscale_delay_s": 2,
        "downscale_delay_s": _DOWN_SECONDS,
    }
    if is_dispatcher:
        scaling["look_back_period_s"] = 11
    gpus = 0.5 if name in ("Extractor", "Verifier") else 0
    return {
        "name": name,
        "autoscaling_config": scaling,
        "ray_actor_options": {"num_cpus": 0, "num_gpus": gpus},
        "max_ongoing_requests": 100,
    }
