"""Checks before the service starts. Each raises CommandError with one line that says what to do."""

import asyncio
import ctypes
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from serve_app.commands.errors import CommandError
from serve_app.domain.errors import ServiceError
from serve_app.domain.ids import new_id
from serve_app.settings import Settings, sqlite_path
from serve_app.store.sqlite.backup.work_folder import remove_abandoned
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.system.private_folders import make_private_folder

MIN_FREE_BYTES = 10**9
# Programs and libraries that Python packages use, and the Debian packages that provide them, as in scripts/setup.sh.
TOOLS = {"pdftoppm": "poppler-utils"}
LIBRARIES = {"libpango-1.0.so.0": "libpango-1.0-0", "libpangoft2-1.0.so.0": "libpangoft2-1.0-0"}


def check_tools() -> None:
    """Check that the programs and libraries for reading documents are installed."""
    missing = {f"program {tool}": package for tool, package in TOOLS.items() if shutil.which(tool) is None}
    missing |= {f"library {name}": package for name, package in LIBRARIES.items() if not _loads(name)}
    if missing:
        what, package = next(iter(missing.items()))
        raise CommandError(f"the {what} is missing; install {package}: sudo apt-get install {package}")


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def check_folders(settings: Settings) -> None:
    """Check that the data folders are writable and have enough free space. Creates missing folders, and removes the
    copies of the database that killed backups left."""
    database = sqlite_path(settings.database_url)
    folders = {settings.files_folder, database.parent if database else None}
    check_space(filter(None, folders))
    if database:
        remove_abandoned(database.parent)


def check_space(folders: Iterable[Path]) -> None:
    """Check that the folders are writable and have enough free space. Creates missing ones."""
    for folder in folders:
        _check_writable(folder)
        free = shutil.disk_usage(folder).free
        if free < MIN_FREE_BYTES:
            raise CommandError(f"only {free // 10**6} MB are free in {folder}; the service needs 1000 MB")


def _check_writable(folder: Path) -> None:
    try:
        make_private_folder(folder)
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".check", suffix=".part"):
            pass
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise CommandError(f"cannot write to the data folder {folder} ({reason})") from error


def check_files(settings: Settings) -> None:
    """Check that the file store is writable."""
    from serve_app.store.files.factory import open_files

    async def probe() -> None:
        files, key = open_files(settings), f"check/{new_id()}"
        try:
            await files.write(key, b"")
            await files.delete(key)
        finally:
            await files.close()

    try:
        asyncio.run(probe())
    except ServiceError as error:
        raise CommandError(f"cannot write to the file store of FILES_URL ({_cause_of(error)})") from error


def check_ownership(settings: Settings) -> None:
    """Check that the file store belongs to this deployment, and claim it if it belongs to none and there is a database.
    Raises UserError if another deployment has it."""
    from serve_app.wiring.files import check_files_owner, claim_files, has_database

    asyncio.run(claim_files(settings) if has_database(settings) else check_files_owner(settings))


def check_owner(settings: Settings) -> None:
    """The same, but nothing is claimed."""
    from serve_app.wiring.files import check_files_owner

    asyncio.run(check_files_owner(settings))


def check_sandbox(settings: Settings) -> str | None:
    """Check that documents can be read as SANDBOX says; with `best_effort`, returns a description of what the machine
    lacks. Raises UserError if they cannot."""
    from serve_app.documents.isolation.messages import described
    from serve_app.documents.isolation.probe import missing_layers

    return described(missing_layers(settings.read_options())) or None


def check_mail(settings: Settings) -> None:
    """Check the mail settings. Raises UserError if they are unusable."""
    from serve_app.mail.factory import open_mailer, sender_of

    open_mailer(settings)
    sender_of(settings)


def mail_problem(settings: Settings) -> str | None:
    """Why no mail can be sent now; None if it can, or if there is no mail server. Asks the server."""
    from serve_app.mail.factory import open_mail_server
    from serve_app.services.ports import MailError

    server = open_mail_server(settings)
    try:
        if server is not None:
            asyncio.run(server.sign_in())
    except MailError as error:
        return str(error)
    return None


def check_calibrations(settings: Settings) -> list[str]:
    """Check that the calibrations of CALIBRATION can be used; returns what is wrong with those by which no value is
    high. Raises CalibrationError if one cannot be used, or has no thresholds for TARGET_PRECISION."""
    from serve_app.reconciling.calibrations import check_target, not_bound, unbound_files

    check_target(settings.calibration, settings.target_precision)
    return [not_bound(file) for file in unbound_files(settings.calibration)]


def check_store(settings: Settings) -> None:
    """Check that the store can be opened and answers; creates it if it does not exist."""
    from serve_app.store.factory import open_store

    async def probe() -> None:
        store = open_store(settings)
        try:
            await store.connection.ping()
        finally:
            await store.connection.close()

    try:
        asyncio.run(probe())
    except ServiceError as error:
        raise CommandError(f"the database of DATABASE_URL does not answer ({_cause_of(error)})") from error
    except (sqlite3.Error, OSError, RuntimeError) as error:
        place = sqlite_path(settings.database_url) or "of DATABASE_URL"
        raise CommandError(f"cannot open the database {place} ({error})") from error


def _cause_of(error: BaseException) -> str:
    """Its name only: messages of drivers repeat parts of the URL."""
    return type(error.__cause__ or error).__name__
