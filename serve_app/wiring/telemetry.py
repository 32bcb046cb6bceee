"""What a process needs to tell about itself, from the settings."""

import logging
from itertools import chain
from pathlib import Path

from serve_app.settings import Settings
from serve_app.telemetry import meter, tracer
from serve_app.telemetry.roles import CHILDREN
from serve_app.telemetry.service_log import log_in_worker

log = logging.getLogger(__name__)


def start_telemetry(settings: Settings, *deployments: str) -> None:
    """Call it at the start of a process that runs these deployments; the first of them is who sends traces. If nothing
    can be told, the work goes on: it is only logged."""
    log_in_worker(settings.log_level)
    start_metrics(settings, *deployments)
    if settings.otel_exporter_otlp_endpoint and not tracer.is_installed():
        from serve_app.telemetry.otlp import OtlpTracer

        tracer.install(OtlpTracer(settings.otel_exporter_otlp_endpoint, deployments[0]))


def start_metrics(settings: Settings, *deployments: str) -> None:
    """The metrics of this process, beside those of other processes of the machine. A second call changes nothing."""
    place = settings.metrics_place
    if place is None or meter.is_installed():
        return
    # Imported only if used.
    from serve_app.telemetry.prometheus.meter import PrometheusMeter, folder_for
    from serve_app.telemetry.prometheus.scrape import answer_scrapes

    folder = folder_for(Path(settings.metrics_folder))
    try:
        meter.install(PrometheusMeter(folder, chain.from_iterable(CHILDREN[each] for each in deployments)))
    except OSError as error:
        log.warning("no metrics: %s cannot be used (%s)", folder, error.strerror)
        return
    answer_scrapes(folder, *place)
