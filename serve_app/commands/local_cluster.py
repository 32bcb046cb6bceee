"""Ray and Serve on this machine, for as long as one command runs."""

import contextlib
import logging
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import psutil

from serve_app.commands.agent_ports import chosen_agent_ports
from serve_app.commands.ray_processes import forked_workers, only_needed_processes
from serve_app.commands.start_retries import first_line, logs_folder, start_with_retries
from serve_app.commands.terminal import complain
from serve_app.commands.worker_fork_server import ForkServer, start_program

if TYPE_CHECKING:
    from ray.serve import Application

# Documents and readings are small, so a small store for shared objects suffices.
OBJECT_STORE_BYTES = 128 * 2**20
# How long processes may take to stop by themselves before they are killed.
TIMEOUT_S = 5.0
# How long all replicas may take to stop: longer than the longest of config/serve.yaml, shorter than a supervisor waits.
SERVE_STOP_S = 75.0
# Ray's own processes, without which nothing else goes on.
VITAL = ("gcs_server", "raylet")
WATCH_S = 1.0


@dataclass(frozen=True, slots=True)
class Status:
    """How far an application has started: `state` and `deployments` are Serve's terms, `message` is its reason."""

    state: str
    message: str
    deployments: dict[str, str]


@contextlib.contextmanager
def local_ray(num_cpus: int, server: ForkServer | None = None) -> Iterator[None]:
    """A private Ray cluster: started on entry; all its processes are gone on exit.

    `num_cpus` is how many processes it starts at a time, `server` what they are forked from (by default, a program). If
    one of Ray's own processes is lost meanwhile, this process ends at once, with one line and exit status 1. Raises
    CommandError if Ray does not start.
    """
    import ray

    def start() -> None:
        with only_needed_processes(), chosen_agent_ports():
            ray.init(
                address="local",
                include_dashboard=False,
                num_cpus=num_cpus,
                num_gpus=0,
                object_store_memory=OBJECT_STORE_BYTES,
                log_to_driver=False,
                logging_level=logging.ERROR,
            )

    server = server or start_program()
    with forked_workers(server):
        stop = partial(_stop_ray, server.process.pid)
        try:
            start_with_retries("Ray", start, stop)
            with _watched(_vital_processes(), _end_at_once):
                yield
        except SystemExit as error:
            # Ray raises SystemExit on SIGTERM while it starts.
            raise KeyboardInterrupt from error
        finally:
            stop()


def _stop_ray(fork_server: int) -> None:
    """All of Ray's processes; what they are forked from serves a further start."""
    import ray

    processes = [each for each in psutil.Process().children(recursive=True) if each.pid != fork_server]
    ray.shutdown()
    end_processes(processes)


def _vital_processes() -> list[psutil.Process]:
    return [process for process in psutil.Process().children(recursive=True) if process.name() in VITAL]


@contextlib.contextmanager
def _watched(processes: list[psutil.Process], on_loss: Callable[[str, list[psutil.Process]], None]) -> Iterator[None]:
    """While the block runs, call `on_loss` with the name of the first of the processes that ends, and with what they
    had started before the block: what the lost one had started has another parent now. Workers, which start later,
    keep theirs: what forks them is none of the processes."""
    ended = threading.Event()
    names = {process: process.name() for process in processes}
    below = [child for process in processes for child in process.children(recursive=True)]

    def watch() -> None:
        while not ended.wait(WATCH_S):
            if lost := next((name for process, name in names.items() if not _runs(process)), None):
                return on_loss(lost, below)

    thread = threading.Thread(target=watch, name="ray-watch", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _runs(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.NoSuchProcess):
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    return False


def _end_at_once(lost: str, processes: list[psutil.Process]) -> None:
    """Without Ray, this process would wait for its answers for good: it ends, so that a supervisor starts it again.
    What was in progress is processed then."""
    complain(f"invoices: the service ends because Ray's {lost} was lost (its logs: {logs_folder()})")
    for process in {*processes, *psutil.Process().children(recursive=True)}:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    os._exit(1)


@contextlib.contextmanager
def local_serve(application: "Application", name: str, http_options: dict[str, Any]) -> Iterator[None]:
    """Serve with the application, which is submitted on entry but not yet ready. Raises CommandError if Serve does not
    start."""
    from ray import serve

    def start() -> None:
        # The second attempt goes on with the Serve that the first one has left.
        serve.start(proxy_location="HeadOnly", http_options=http_options)
        serve.run_many(
            [serve.RunTarget(application, name=name)],
            wait_for_ingress_deployment_creation=False,
            wait_for_applications_running=False,
        )

    logging.getLogger("ray.serve").setLevel(logging.ERROR)
    try:
        start_with_retries("Ray Serve", start, lambda: None)
        yield
    finally:
        with contextlib.suppress(Exception):
            _stop_serve()


def _stop_serve() -> None:
    """`serve.shutdown` alone waits 30 s; replicas that have not stopped by then would leave their work leased."""
    from ray import serve
    from ray.serve import context

    if client := context._get_global_client():
        client.shutdown(timeout_s=SERVE_STOP_S)
    serve.shutdown()  # type: ignore[no-untyped-call]


def application_status(name: str) -> Status:
    """How far the application has started so far; on a busy machine Serve may take long to answer."""
    from ray import serve
    from ray.exceptions import RayError

    try:
        application = serve.status().applications.get(name)
    except (RayError, TimeoutError) as error:
        return Status("UNKNOWN", first_line(error), {})
    if application is None:
        return Status("NOT_STARTED", "", {})
    deployments = {deployment: status.status.value for deployment, status in application.deployments.items()}
    reasons = [application.message, *(status.message for status in application.deployments.values())]
    return Status(application.status.value, next(filter(None, reasons), ""), deployments)


def end_processes(processes: list[psutil.Process]) -> None:
    """Wait for processes that are stopping, then kill those that remain."""
    _, alive = psutil.wait_procs(processes, timeout=TIMEOUT_S)
    for process in alive:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(alive, timeout=TIMEOUT_S)
