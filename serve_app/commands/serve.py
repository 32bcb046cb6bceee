"""`invoices serve`: the whole service on this machine, until it is told to stop."""

import asyncio
import contextlib
import os
import signal
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any
from uuid import uuid4

import typer

from serve_app.commands.errors import CommandError
from serve_app.commands.terminal import print_json, reserved_stdout, say

if TYPE_CHECKING:
    from ray.serve import Application

    from serve_app.commands.worker_fork_server import ForkServer
    from serve_app.settings import Settings
    from serve_app.store.base import Store

# Without a deployment that becomes ready. On two cores with 20 other busy processes the first takes some minutes.
START_TIMEOUT_S = 900.0
POLL_S = 0.5
_ACCOUNTS = 1000

Host = Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 opens the service to the network.")]
Port = Annotated[int, typer.Option(help="Port to listen on.")]
Sample = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Send this document when the service is ready, and print its JSON.")
]
Small = Annotated[
    bool | None,
    typer.Option(
        "--small/--no-small",
        help="Use few processes, for a machine with little memory, or one for each model.",
        show_default="two processes with at most two cores, else one for each model",
    ),
]
Config = Annotated[Path | None, typer.Option(metavar="FILE", help="Serve configuration (default: config/serve.yaml).")]


def serve(
    host: Host = "127.0.0.1", port: Port = 8000, sample: Sample = None, config: Config = None, small: Small = None
) -> None:
    """Run the service on this machine until Ctrl-C.

    The first start creates an account with an API key and an owner. It prints the key (only once) and a link that signs
    the owner in to the web application.
    """
    from serve_app.commands import local_graph
    from serve_app.commands.graph_checks import check_models_here
    from serve_app.commands.worker_fork_server import fork_here
    from serve_app.settings.reading import read_settings
    from serve_app.system.folder_lock import SERVICE_ID, lock_folders
    from serve_app.system.heap import limit_arenas
    from serve_app.system.ports import held_port

    started = time.monotonic()
    graph = local_graph.read_graph(config or local_graph.DEFAULT_CONFIG)
    check_models_here(graph)
    if small:
        local_graph.check_small(graph)
    settings = read_settings(graph=local_graph.local_numbers(graph, port))
    _check_place(settings, sample, host, port)
    # Must precede the first import of Ray, which reads some of these variables; its processes inherit them.
    os.environ.update(local_graph.environment())
    limit_arenas(int(os.environ["MALLOC_ARENA_MAX"]))
    # Before locks and threads: forks would keep the ones, and not have the others.
    server = fork_here()
    os.environ[SERVICE_ID] = str(uuid4())
    with lock_folders(settings.local_folders, os.environ[SERVICE_ID], settings.port), held_port(host, port):
        settings = _checked(settings)
        key = _first_key(settings)
        with (
            contextlib.suppress(KeyboardInterrupt),
            reserved_stdout(),
            _running(settings, host, port, graph, server, small=small),
        ):
            say(f"Ready after {time.monotonic() - started:.0f} s: http://{host}:{port}   (stop with Ctrl-C)")
            _show_use(host, port)
            if sample:
                _send_sample(sample, settings, key, f"http://{host}:{port}")
            _show_sign_in(settings, host, port, is_first=key is not None)
            with _taking_mail(settings), _watching_folders(settings):
                threading.Event().wait()
    say("Stopped.")


def _check_place(settings: "Settings", sample: Path | None, host: str, port: int) -> None:
    """Refuse within a second what would be refused after the imports, which take some."""
    from serve_app.system.folder_lock import lock_folders
    from serve_app.system.ports import held_port

    if sample and not sample.is_file():
        raise CommandError(f"{sample}: no such file")
    with lock_folders(settings.local_folders, str(uuid4()), settings.port), held_port(host, port):
        return


def _checked(settings: "Settings") -> "Settings":
    """The settings with keys, once all that can be checked before the start is in order."""
    from serve_app.commands import preflight
    from serve_app.wiring.files import has_database
    from serve_app.wiring.startup_keys import keys_for_start

    preflight.check_tools()
    preflight.check_folders(settings)
    preflight.check_files(settings)
    preflight.check_mail(settings)
    for notice in preflight.check_calibrations(settings):
        say(f"Warning: {notice}.")
    if problem := preflight.mail_problem(settings):
        say(f"Warning: the service cannot send e-mail, so nobody can sign in by e-mail: {problem}.")
    if missing := preflight.check_sandbox(settings):
        say(f"Warning: documents are read without {missing}; see docs/explanation/sandbox.md.")
    if has_database(settings):
        preflight.check_store(settings)
    preflight.check_ownership(settings)
    return keys_for_start(settings)


def _first_key(settings: "Settings") -> str | None:
    """The key of the account that the first start creates before anything else can fail; None on later starts."""
    from serve_app.commands.accounts import create_account_with_key
    from serve_app.commands.users import FIRST_OWNER
    from serve_app.domain.account import Plan
    from serve_app.wiring.files import has_database

    if has_database(settings):
        return None
    account_id, raw = create_account_with_key(Plan.UNLIMITED.name, owner=FIRST_OWNER, runs_deployment=True)
    say(f"Created account {account_id} with this API key, which is shown only now:")
    say(f"    {raw}")
    return raw


class _StopSignals:
    """Ctrl-C and SIGTERM end the command gracefully, by KeyboardInterrupt; a second one ends it at once."""

    def __init__(self) -> None:
        self._stopping = False

    def install(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        # If Ray's own handler ran first, it has set an alarm that would abort this process.
        signal.alarm(0)
        if self._stopping:
            _kill_everything()
        self._stopping = True
        raise KeyboardInterrupt


def _kill_everything() -> None:
    import psutil

    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    os._exit(130)


@contextlib.contextmanager
def _running(
    settings: "Settings", host: str, port: int, graph: dict[str, Any], server: "ForkServer", *, small: bool | None
) -> Iterator[None]:
    """Run the service; yields when it is ready."""
    from serve_app.commands import local_graph
    from serve_app.telemetry.logs import configure_logging
    from serve_app.telemetry.service_log import collect_logs

    name = graph["applications"][0]["name"]
    if collect_logs():
        configure_logging(settings.log_level)
    signals = _StopSignals()
    signals.install()
    say("Starting Ray ...")
    from serve_app.commands.local_cluster import local_ray, local_serve

    with local_ray(local_graph.cores(), server):
        # Ray has installed its own handlers.
        signals.install()
        say("Starting the service ...")
        with local_serve(
            _application(settings, graph, small=small), name, local_graph.local_http_options(graph, host, port)
        ):
            _wait_until_ready(name)
            try:
                yield
            finally:
                say("Stopping ...")


def _application(settings: "Settings", graph: dict[str, Any], *, small: bool | None) -> "Application":
    from serve_app.app import bind_local, bind_together
    from serve_app.commands import local_graph

    if small or (small is None and local_graph.fits_in_one_process(graph)):
        return bind_together(settings, local_graph.together_options(graph), preloads_ocr=not small)
    options = local_graph.coordinated_options(graph)
    return bind_local(settings, options, local_graph.pairs_of(graph), local_graph.shadow_of(graph))


@contextlib.contextmanager
def _taking_mail(settings: "Settings") -> Iterator[None]:
    """Take mail beside the service, unless no place for it is set. A place that is not to be had does not stop the
    service."""
    from serve_app.commands.listening import listening_in_thread
    from serve_app.commands.stores import run_on_store
    from serve_app.wiring.mail_listener import mail_places

    with contextlib.ExitStack() as stack:
        if mail_places(settings) or settings.imap_url or settings.imap_file:
            try:
                where = stack.enter_context(listening_in_thread(settings))
                say(f"Mail: {', '.join(where)}, for {run_on_store(settings, partial(_first_address, settings))}")
            except CommandError as error:
                say(f"Warning: {error}")
        yield


@contextlib.contextmanager
def _watching_folders(settings: "Settings") -> Iterator[None]:
    """Watch folders beside the service."""
    from serve_app.commands.side_thread import running_in_thread
    from serve_app.commands.watching import watching
    from serve_app.wiring.telemetry import start_metrics

    start_metrics(settings, "Watcher")
    with running_in_thread("watch", lambda: watching(settings)):
        yield


async def _first_address(settings: "Settings", store: "Store") -> str:
    """The private address of the oldest account."""
    from serve_app.wiring.mailroom import build_addresses

    page = await store.accounts.page(_ACCOUNTS)
    while page.has_more:
        page = await store.accounts.page(_ACCOUNTS, page.items[-1].id)
    if not page.items:
        return "no account yet"
    addresses = build_addresses(store, settings)
    return addresses.written(await addresses.first(page.items[-1].id))


def _wait_until_ready(name: str) -> None:
    """Report each deployment as it becomes ready, and regularly which ones are awaited. Raises CommandError if the
    service does not start."""
    from serve_app.commands.local_cluster import application_status
    from serve_app.commands.start_retries import load, logs_folder, notices

    end = time.monotonic() + START_TIMEOUT_S
    ready: set[str] = set()
    awaited = "Ray Serve"
    with notices(lambda: awaited):
        while time.monotonic() < end:
            status = application_status(name)
            for deployment in [each for each, state in status.deployments.items() if state == "HEALTHY"]:
                if deployment not in ready:
                    ready.add(deployment)
                    end = time.monotonic() + START_TIMEOUT_S
                    say(f"  {deployment.lower()} ready")
            if status.state == "RUNNING":
                return
            if status.state == "DEPLOY_FAILED":
                raise CommandError(f"the service did not start: {reason(status.message)}")
            awaited = ", ".join(sorted(each.lower() for each in status.deployments.keys() - ready)) or awaited
            time.sleep(POLL_S)
    raise CommandError(
        f"the service waited {START_TIMEOUT_S:.0f} s for {awaited} ({load()}; its logs: {logs_folder()})"
    )


def reason(message: str) -> str:
    """The line of a stack trace that gives the reason: the last unindented one."""
    lines = [line for line in message.splitlines() if line.strip() and not line.startswith(" ")]
    return lines[-1].strip() if lines else "no reason given"


def _show_use(host: str, port: int) -> None:
    say(
        "Try: curl -H 'Authorization: Bearer <API key>' -F file=@invoice.pdf "
        f"'http://{host}:{port}/v1/invoices?wait=true'"
    )


def _show_sign_in(settings: "Settings", host: str, port: int, *, is_first: bool) -> None:
    """How to get into the web application: on the first start with a link, which signs its owner in."""
    from serve_app.commands.users import first_link

    address = settings.public_url or f"http://{_reachable(host)}:{port}"
    if is_first:
        say("Sign in to the web application with this link, which works once, for 30 minutes:")
        say(f"    {first_link(settings, address)}")
    else:
        say(f"Web application: {address.rstrip('/')}/app/   (invoices user link MAIL prints a link that signs in)")


def _reachable(host: str) -> str:
    """The address to open in a browser of this machine for a service that listens on `host`."""
    local = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)  # noqa: S104 - compared with, not listened on
    return f"[{local}]" if ":" in local and not local.startswith("[") else local


def _send_sample(sample: Path, settings: "Settings", key: str | None, url: str) -> None:
    from serve_app.commands.sample import send_sample

    print_json(asyncio.run(send_sample(sample, url, key, settings)), pretty=True)
