"""What the service needs, one check for each part: `invoices doctor` prints them all, and `invoices deploy` changes
nothing unless they pass."""

import asyncio
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from serve_app.commands import preflight
from serve_app.domain.errors import ServiceError
from serve_app.domain.user_error import UserError
from serve_app.system.kernel_clock import ClockState, clock_state

if TYPE_CHECKING:
    from serve_app.domain.account import Plan
    from serve_app.settings import Settings
    from serve_app.store.base import Store

SECONDS = 5.0
"""How long an answer may take."""
FAR_OFF = timedelta(seconds=2)
"""More than the way to a database and back takes."""

Check = Callable[["Settings"], str]
"""Says what was found. Raises Doubt if that may be a fault, UserError or ServiceError if something does not work."""


class Doubt(Exception):
    """Something that an operator should look at, and that does not keep the service from working."""


def checks(config: Path, nodes: int = 1) -> Iterator[tuple[str, Check]]:
    """Those of this machine and of what it reaches, by their names, quickest first; `config` is the Serve
    configuration, `nodes` how many machines Ray has. They make and change nothing that the service keeps."""
    yield "store", _store
    yield "files", _files
    yield "keys", lambda settings: _keys(settings, nodes)
    yield "plans", _plans
    yield "clock", _clock
    yield "disk", _disk
    yield "mail", _mail
    yield "sandbox", _sandbox
    yield "models", lambda _: _models(config)


def tried(check: Check, settings: "Settings") -> tuple[str, str]:
    """`ok`, `look` or `FAILS`, and what was found."""
    try:
        return "ok", check(settings)
    except Doubt as doubt:
        return "look", str(doubt)
    except Exception as error:
        return "FAILS", " ".join(str(error).split()) or type(error).__name__


def _store(settings: "Settings") -> str:
    from serve_app.settings import sqlite_path

    path = sqlite_path(settings.database_url)
    if path is not None and not path.exists():
        raise Doubt(f"there is no database {path} yet; the first start makes it (DATABASE_URL names another one)")
    preflight.check_store(settings)
    # The rest of another URL may hold a password.
    return f"answers ({path or 'MongoDB'})"


def _files(settings: "Settings") -> str:
    folder = settings.files_folder
    if folder is not None and not folder.exists():
        raise Doubt(f"there is no folder {folder} yet; the first start makes it (FILES_URL names another one)")
    preflight.check_files(settings)
    try:
        preflight.check_owner(settings)
    except ServiceError:
        raise Doubt("can be written and deleted; whose they are is not known, as the store does not answer") from None
    return "can be written and deleted"


def _keys(settings: "Settings", nodes: int = 1) -> str:
    from serve_app.settings.keys import NoKeyYet, with_keys
    from serve_app.wiring.startup_keys import checked_keys

    try:
        checked_keys(settings, nodes=nodes, makes=False)
    except NoKeyYet as error:
        raise Doubt(str(error)) from None
    except ServiceError:
        with_keys(settings, nodes=nodes, secrets_exist=True, makes=False)
        raise Doubt("are there; whether they open what is stored is not known, as the store does not answer") from None
    return "open what is stored"


def _plans(settings: "Settings") -> str:
    from serve_app.commands.stores import run_on_store
    from serve_app.settings import sqlite_path
    from serve_app.wiring.accounts import build_plans

    path = sqlite_path(settings.database_url)
    if path is not None and not path.exists():
        return "are those of the contract"

    async def find(store: "Store") -> "tuple[list[Plan], list[str]]":
        service = build_plans(store)
        return await service.list_all(), await service.missing()

    try:
        plans, missing = run_on_store(settings, find)
    except ServiceError:
        raise Doubt("cannot be looked up, as the store does not answer") from None
    if missing:
        raise Doubt(
            f"accounts have {', '.join(missing)}, which allow what free does: define it with invoices account plans "
            "set, or give these accounts another plan"
        )
    larger = [plan.name for plan in plans if plan.limits.file_mb and plan.limits.max_bytes > settings.max_file_bytes]
    if larger:
        raise Doubt(f"{', '.join(larger)} allow larger files than MAX_FILE_BYTES ({settings.max_file_bytes:,})")
    return f"{len(plans)}, and each account has one of them"


def _clock(settings: "Settings") -> str:
    from serve_app.store.factory import clock_ahead

    try:
        ahead = asyncio.run(clock_ahead(settings))
    except ServiceError:
        raise Doubt("cannot be compared with MongoDB's, which does not answer") from None
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


def _models(config: Path) -> str:
    from serve_app.commands.models import tried_models

    found = list(tried_models(config))
    refused = [f"{name}: {each.refused}" for name, each in found if each.refused is not None]
    if refused:
        raise UserError("; ".join(refused))
    return ", ".join(f"{name} {each.revision} ({each.megabytes} MB)" for name, each in found)


def _sandbox(settings: "Settings") -> str:
    preflight.check_tools()
    missing = preflight.check_sandbox(settings)
    if missing:
        raise Doubt(f"documents are read without {missing}; see docs/explanation/sandbox.md")
    return "complete, and all tools are installed"


def _disk(settings: "Settings") -> str:
    if not settings.data_folders:
        return "no data folder is on this machine"
    there = [folder for folder in settings.data_folders.values() if folder.exists()]
    preflight.check_space(there)
    if not there:
        raise Doubt("the data folders are not there yet; the first start makes them")
    return f"at least {preflight.MIN_FREE_BYTES // 10**6} MB are free in the data folders"


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
