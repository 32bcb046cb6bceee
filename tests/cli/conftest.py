"""A data folder and an account for each test of the command line."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from serve_app.commands import cli, worker_fork_server
from tests.cli.command_line import URL, Fails, run


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test has its own data folder."""
    monkeypatch.chdir(tmp_path)
    for name in ("DATABASE_URL", "FILES_URL", "ENCRYPTION_KEY", "ENCRYPTION_KEY_FILE", "WEBHOOK_NETWORKS"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture(autouse=True)
def no_fork(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Commands run in the tests' own process. `serve` would make a second one of it, which would go on with the tests,
    and change its environment."""
    monkeypatch.setattr(worker_fork_server, "fork_here", lambda: None)
    with patch.dict(os.environ):
        yield


@pytest.fixture
def account() -> str:
    """The id of a new account."""
    return run("account", "create").split()[1]


@pytest.fixture
def endpoint(account: str) -> str:
    return run("webhook", "register", account, URL).split()[1]


@pytest.fixture
def fails(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Fails:
    def fail(*arguments: str) -> str:
        monkeypatch.setattr(sys, "argv", ["invoices", *arguments])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        assert ended.value.code == 1
        lines = capsys.readouterr().err.splitlines()
        assert len(lines) == 1, lines
        return lines[0]

    return fail
