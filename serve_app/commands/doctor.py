"""`invoices doctor`: whether everything works that the service needs."""

import asyncio
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.error import HTTPError
from urllib.request import urlopen

import typer

from serve_app.commands import preflight
from serve_app.commands.terminal import say
from serve_app.domain.errors import ServiceError
from serve_app.domain.user_error import UserError
from serve_app.system.kernel_clock import ClockState, clock_state

if TYPE_CHECKING:
    from serve_app.settings import Settings

SECONDS = 5.0
"""How long an answer may take."""
FAR_OFF = timedelta(seconds=2)
"""More than the way to a database and back takes."""

Check = Callable[["Settings"], str]
"""Says what was found. Raises Doubt if that may be a fault, UserError or ServiceError if something does not work."""


class Doubt(Exception):
    """Something that an operator should look at, and that does not keep the service from working."""


def doctor(port: Annotated[int, typer.Option(help="Port on which the service listens.")] = 8000) -> None:
    """Check the requirements of the service, one line each; exit code 1 if a check fails.

    Loading and testing both models takes some seconds.
    """
    from serve_app.settings.reading import read_settings

    settings = read_settings()
    is_well = True
    for name, check in _checks(port):
        verdict, text = _tried(check, settings)
        is_well = is_well and verdict != "FAILS"
        say(f"{verdict:<6} {name:<8} {text}")
    if not is_well:
        raise typer.Exit(1)


def _tried(check: Check, settings: "Settings") -> tuple[str, str]:
    try:
        return "ok", check(settings)
    except Doubt as doubt:
        return "look", str(doubt)
    except (UserError, ServiceError, OSError, ValueError) as error:
        return "FAILS", " ".join(str(error).split()) or type(error).__name__


def _checks(port: int) -> Iterator[tuple[str, Check]]:
    yield "store", _store
    yield "files", _files
    yield "keys", _keys
    yield "clock", _clock
    yield "models", _models
    yield "sandbox", _sandbox
    yield "disk", _disk
    yield "ports", lambda settings: _ports(settings, port)
    yield "mail", _mail


def _store(settings: "Settings") -> str:
    from serve_app.settings import sqlite_path

    preflight.check_store(settings)
    # The rest of another URL may hold a password.
    return f"answers ({sqlite_path(settings.database_url) or 'MongoDB'})"


def _files(settings: "Settings") -> str:
    preflight.check_files(settings)
    return "can be written and deleted"


def _keys(settings: "Settings") -> str:
    from serve_app.wiring.startup_keys import keys_for_start

    given = settings.signing_key is not None, settings.encryption_key is not None
    files = settings.signing_key_file, settings.encryption_key_file
    if not all(is_given or Path(file).is_file() for is_given, file in zip(given, files, strict=True)):
        raise Doubt("not all are there yet; the first start on a single machine makes them")
    keys_for_start(settings)
    return "open what is stored"


def _clock(settings: "Settings") -> str:
    from serve_app.store.factory import clock_ahead

    ahead = asyncio.run(clock_ahead(settings))
    if abs(ahead) > FAR_OFF:
        side = "ahead of" if ahead > timedelta(0) else "behind"
        raise Doubt(
            f"{abs(ahead).total_seconds():.1f} s {side} MongoDB's: have both kept right by the same servers (NTP)"
        )
    _check_kept_right()
    return "is kept right" + ("" if not ahead else f", {abs(ahead).total_seconds():.2f} s from MongoDB's")


def _check_kept_right() -> None:
    state = clock_state()
    if state is ClockState.ALONE:
        raise Doubt("nothing keeps it right (NTP); receivers refuse webhooks that are five minutes off")
    if state is ClockState.UNKNOWN:
        raise Doubt("the system does not say whether it is kept right")


def _models(_: "Settings") -> str:
    from serve_app.commands.local_graph import DEFAULT_CONFIG
    from serve_app.commands.models import tried_models

    tried = list(tried_models(DEFAULT_CONFIG))
    refused = [f"{name}: {found.refused}" for name, found in tried if found.refused is not None]
    if refused:
        raise UserError("; ".join(refused))
    return ", ".join(f"{name} {found.revision} ({found.megabytes} MB)" for name, found in tried)


def _sandbox(settings: "Settings") -> str:
    preflight.check_tools()
    missing = preflight.check_sandbox(settings)
    if missing:
        raise Doubt(f"documents are read without {missing}; see docs/explanation/sandbox.md")
    return "complete, and all tools are installed"


def _disk(settings: "Settings") -> str:
    preflight.check_folders(settings)
    return f"at least {preflight.MIN_FREE_BYTES // 10**6} MB are free in the data folders"


def _ports(settings: "Settings", port: int) -> str:
    found = [f"the service is ready on {port}"]
    try:
        _get(f"http://127.0.0.1:{port}/readyz")
    except HTTPError as error:
        raise UserError(f"the service on port {port} is not ready ({error.code} from /readyz)") from None
    except OSError:
        raise Doubt(f"no service answers on 127.0.0.1:{port} (choose another with --port)") from None
    if settings.metrics_place is not None:
        host, metrics_port = settings.metrics_place
        local = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)  # noqa: S104 - compared with, not listened on
        try:
            is_ours = b"invoices_" in _get(f"http://{local}:{metrics_port}/metrics")
        except OSError:
            is_ours = False
        if not is_ours:
            raise Doubt(f"{found[0]}, but nothing answers scrapes on {settings.metrics_listen}")
        found.append(f"scrapes are answered on {settings.metrics_listen}")
    return ", ".join(found)


def _get(url: str) -> bytes:
    with urlopen(url, timeout=SECONDS) as answer:  # noqa: S310 - an address of this machine
        return bytes(answer.read())


def _mail(settings: "Settings") -> str:
    from serve_app.mail.smtp import SmtpMailer
    from serve_app.mail.smtp_url import parse_smtp_url
    from serve_app.services.ports import MailError

    preflight.check_mail(settings)
    if settings.smtp_url is None:
        raise Doubt(f"none is sent: SMTP_URL is not set, so mail is written to files in {settings.mail_folder}")
    server = parse_smtp_url(settings.smtp_url.get_secret_value())
    try:
        asyncio.run(SmtpMailer(server, SECONDS).sign_in())
    except MailError as error:
        raise UserError(f"{server.host}:{server.port}: {error}") from None
    return f"{server.host}:{server.port} " + ("answers" if server.user is None else "takes user and password")
