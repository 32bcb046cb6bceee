"""Build the nodes for n8n, and try them in n8n's engine against the service on this machine."""

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory

from pydantic import SecretStr

from scripts.clients.formatting import ROOT
from serve_app.domain.batch import Section
from serve_app.settings import Settings
from tests.api.live import live_service
from tests.support.mails import READ
from tests.support.webhooks import ENCRYPTION_KEY

_PACKAGE = ROOT / "clients" / "n8n"
_NPM = ("npm", "--no-audit", "--no-fund", "--loglevel=error")


def try_n8n(out: Path) -> None:
    """Lint, build and pack the package as n8n asks for, and test it as installed."""
    if shutil.which("npm") is None:
        print("the nodes for n8n are not tried: npm is missing")
        return
    with TemporaryDirectory() as folder:
        source = Path(folder) / "n8n"
        shutil.copytree(_PACKAGE, source, ignore=shutil.ignore_patterns("node_modules", "dist"))
        for command in (["ci", "--ignore-scripts"], ["run", "lint"], ["run", "build"]):
            _npm(*command, folder=source)
        _npm("pack", f"--pack-destination={out.resolve()}", folder=source)
        (package,) = out.glob("n8n-*.tgz")
        _test(source / "tests", package)


def _test(tests: Path, package: Path) -> None:
    """With the engine of n8n and its own nodes. `--ignore-scripts`: none of them needs what is compiled."""
    _npm("ci", "--ignore-scripts", folder=tests)
    _npm("install", "--no-save", "--ignore-scripts", str(package.resolve()), folder=tests)
    with service() as environment:
        _npm("test", folder=tests, environment=environment)
    print("n8n: the installed package passes its tests")


@contextmanager
def service() -> Iterator[dict[str, str]]:
    """The service, which finds the same invoice in each file, and the variables with which the tests reach it."""
    with TemporaryDirectory() as folder:
        settings = Settings(
            database_url=f"sqlite:///{folder}/store.sqlite",
            files_url=f"{folder}/files",
            encryption_key=SecretStr(ENCRYPTION_KEY),
            signing_key=SecretStr(token_hex()),
            rate_limit=100_000,
            poll_seconds=0.05,
            stop_seconds=0.2,
        )
        with live_service(settings, lambda *_: [Section(1, 1, READ)]) as live:
            keys = {"INVOICES_API_KEY": live.full_key, "INVOICES_READ_KEY": live.read_key}
            yield {"INVOICES_URL": live.url, **keys, "N8N_USER_FOLDER": folder}


def _npm(*command: str, folder: Path, environment: Mapping[str, str] | None = None) -> None:
    subprocess.run([*_NPM, *command], cwd=folder, env={**os.environ, **(environment or {})}, check=True)
