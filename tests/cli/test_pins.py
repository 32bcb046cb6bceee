"""Accounts that stay on a pair of models, on the command line."""

from datetime import timedelta
from pathlib import Path

import pytest
import yaml

from serve_app.commands.local_graph import DEFAULT_CONFIG, read_graph
from serve_app.domain.clock import utc_now
from tests.cli.command_line import UNKNOWN, Fails, run

LAST_DAY = str((utc_now() + timedelta(days=30)).date())


@pytest.fixture
def config(tmp_path: Path) -> str:
    """A configuration with a second pair."""
    graph = read_graph(DEFAULT_CONFIG)
    graph["applications"][0]["args"]["pairs"] = {"older": ["extractor"]}
    path = tmp_path / "pairs.yaml"
    path.write_text(yaml.safe_dump(graph))
    return str(path)


def test_an_account_is_pinned_shown_and_unpinned(account: str, config: str, fails: Fails) -> None:
    line = f"pinned   {account}  older  to {LAST_DAY}\n"
    assert run("account", "pin", account, "older", "--until", LAST_DAY, "--config", config) == line
    assert run("account", "pins") == line
    assert run("account", "unpin", account) == f"unpinned {account}\n"
    assert run("account", "pins") == ""
    assert "has no pin" in fails("account", "unpin", account)


def test_what_cannot_be_kept_is_refused(account: str, config: str, fails: Fails) -> None:
    assert "Available: first." in fails("account", "pin", account, "older", "--until", LAST_DAY)
    older = ("older", "--until", LAST_DAY, "--config", config)
    assert "there is no account" in fails("account", "pin", UNKNOWN, *older)
    assert "from today" in fails("account", "pin", account, "older", "--until", "2020-01-01", "--config", config)
