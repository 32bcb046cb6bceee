"""Ray and Serve on this machine, for as long as one command runs."""

import contextlib
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import psutil

from serve_app.commands.errors import CommandError

if TYPE_CHECKING:
    from ray.serve import Application

# Documents and readings are small, so a small store for shared objects suffices.
OBJECT_STORE_BYTES = 128 * 2**20
LOGS = "/tmp/ray/session_latest/logs"  # noqa: S108 - where Ray puts them
# How long processes may take to stop by themselves before they are killed.
PATIENCE_S = 5.0


@dataclass(frozen=True, slots=True)
class Status:
    """How far an application has started: `state` and `deployments` are Serve's terms, `message` is its reason."""

    state: str
    message: str
    deployments: dict[str, str]


@contextlib.contextmanager
def local_ray(num_cpus: int) -> Iterator[None]:
    """A private Ray cluster: started on entry; all its processes are gone on exit.

    `num_cpus` is how many processes it starts at a time.
    """
    import ray

    try:
        with _one_line_errors("Ray"):
            ray.init(
                address="local",
                include_dashboard=False,
                num_cpus=num_cpus,
                num_gpus=0,
                object_store_memory=OBJECT_STORE_BYTES,
                log_to_driver=False,
                logging_level=logging.ERROR,
            )
        yield
    except SystemExit as error:
        # Ray raises SystemExit on SIGTERM while it starts.
        raise KeyboardInterrupt from error
    finally:
        processes = psutil.Process().children(recursive=True)
        ray.shutdown()
        end_processes(processes)


@contextlib.contextmanager
def local_serve(application: "Application", name: str, http_options: dict[str, Any]) -> Iterator[None]:
    """Serve with the application, which is submitted on entry but not yet ready."""
    from ray import serve

    logging.getLogger("ray.serve").setLevel(logging.ERROR)
    try:
        with _one_line_errors("Ray Serve"):
            serve.start(proxy_location="HeadOnly", http_options=http_options)
            serve.run_many(
                [serve.RunTarget(application, name=name)],
                wait_for_ingress_deployment_creation=False,
                wait_for_applications_running=False,
            )
        yield
    finally:
        with contextlib.suppress(Exception):
            serve.shutdown()  # type: ignore[no-untyped-call]


@contextlib.contextmanager
def _one_line_errors(what: str) -> Iterator[None]:
    """Turn Ray's various errors while `what` starts into a one-line CommandError."""
    from ray.exceptions import RayError

    try:
        yield
    except (RayError, RuntimeError, OSError, ValueError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise CommandError(f"{what} did not start: {reason} (its logs: {LOGS})") from error


def application_status(name: str) -> Status:
    """How far the application has started so far."""
    from ray import serve

    application = serve.status().applications.get(name)
    if application is None:
        return Status("NOT_STARTED", "", {})
    deployments = {deployment: status.status.value for deployment, status in application.deployments.items()}
    reasons = [application.message, *(status.message for status in application.deployments.values())]
    return Status(application.status.value, next(filter(None, reasons), ""), deployments)


def end_processes(processes: list[psutil.Process]) -> None:
    """Wait for processes that are stopping, then kill those that remain."""
    _, alive = psutil.wait_procs(processes, timeout=PATIENCE_S)
    for process in alive:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(alive, timeout=PATIENCE_S)
