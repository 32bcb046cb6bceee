"""The service with everything that it can tell about itself, and without."""

import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from benchmarks.faults.processes import adopt_orphans, below, kill_everything_below
from benchmarks.faults.service import Service, free_port

# One account sends everything: limits that a benchmark reaches are off.
LIMITS = {"MAX_RUNNING": "16", "MAX_RUNNING_PER_ACCOUNT": "16", "HOUSEKEEPING_SECONDS": "60", "SANDBOX": "best_effort"}
SILENT = {"METRICS_LISTEN": ""}
# As often as deploy/observability/prometheus.yml scrapes.
_CONFIG = """
global: {{scrape_interval: 15s}}
scrape_configs:
  - job_name: invoices
    static_configs: [targets: ["127.0.0.1:{port}"]]
"""


def observed_environment(folder: Path, port: int, collector: str | None = None) -> dict[str, str]:
    """Settings of a service that answers scrapes at the port, and sends traces to the collector if there is one."""
    environment = {"METRICS_LISTEN": f"127.0.0.1:{port}", "METRICS_FOLDER": str(folder / "metrics")}
    return environment if collector is None else environment | {"OTEL_EXPORTER_OTLP_ENDPOINT": collector}


@contextmanager
def running(folder: Path, settings: dict[str, str], arguments: Sequence[str] = ()) -> Iterator[Service]:
    """The service in the block; it is stopped afterwards."""
    service = Service(folder, extra=LIMITS | settings, arguments=arguments)
    service.start()
    try:
        yield service
    finally:
        service.stop()


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder for the block; nothing that was started in it is left. Ray's sockets need a short name."""
    adopt_orphans()
    # `timeout` ends a benchmark in this way; what it started would go on.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    with tempfile.TemporaryDirectory(prefix="pl-", ignore_cleanup_errors=True) as folder:
        try:
            yield Path(folder)
        finally:
            kill_everything_below()


def cpu_of(service: Service) -> float:
    """Seconds of CPU so far, of all processes of the service."""
    seconds = 0.0
    for process in below(service.pid):
        with suppress(psutil.NoSuchProcess):
            times = process.cpu_times()
            seconds += times.user + times.system
    return seconds


@contextmanager
def prometheus(folder: Path, port: int) -> Iterator[str]:
    """The address of a Prometheus that scrapes this port, in the block."""
    program = shutil.which("prometheus")
    if program is None:
        raise SystemExit("there is no prometheus; install it: sudo apt-get install prometheus")
    config, own = folder / "prometheus.yml", free_port()
    config.write_text(_CONFIG.format(port=port))
    command = [
        *(program, f"--config.file={config}", f"--storage.tsdb.path={folder / 'tsdb'}"),
        *(f"--web.listen-address=127.0.0.1:{own}", "--log.level=error"),
    ]
    with subprocess.Popen(command) as process:  # noqa: S603 - found above
        try:
            yield f"http://127.0.0.1:{own}"
        finally:
            process.terminate()
