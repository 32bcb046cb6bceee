"""Ray is started and reached with a token, in one way, whoever starts it."""

import os
import re
import stat
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from serve_app.commands import cli, local_graph, ray_start
from serve_app.domain.user_error import UserError
from serve_app.keys.ray_environment import HAPROXY_VARIABLE, is_behind_haproxy, ray_environment

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def test_a_token_is_made_once_for_its_owner_only(home: Path) -> None:
    environment = ray_environment({})
    path = home / ".ray" / "auth_token"
    assert environment["RAY_AUTH_MODE"] == "token"
    assert environment["RAY_AUTH_TOKEN_PATH"] == str(path)
    assert re.fullmatch("[0-9a-f]{64}", token := path.read_text())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert ray_environment({}) == environment
    assert path.read_text() == token


def test_a_token_that_ray_made_for_all_to_read_is_closed_to_others(home: Path) -> None:
    path = home / ".ray" / "auth_token"
    path.parent.mkdir()
    path.write_text("f" * 32)
    path.chmod(0o644)
    ray_environment({})
    assert (stat.S_IMODE(path.stat().st_mode), path.read_text()) == (0o600, "f" * 32)


def test_haproxy_is_started_by_a_program_of_the_service_unless_another_is_given() -> None:
    environment = ray_environment({})
    assert os.access(environment[HAPROXY_VARIABLE], os.X_OK)
    assert is_behind_haproxy({"RAY_SERVE_ENABLE_HA_PROXY": "1", **environment})
    assert not is_behind_haproxy(environment)
    given = {"RAY_SERVE_ENABLE_HA_PROXY": "1", HAPROXY_VARIABLE: "/usr/sbin/haproxy"}
    assert HAPROXY_VARIABLE not in ray_environment(given)
    assert not is_behind_haproxy(given)


def test_an_empty_token_is_refused(home: Path) -> None:
    (home / ".ray").mkdir()
    (home / ".ray" / "auth_token").write_text("\n")
    with pytest.raises(UserError, match="auth_token does not contain a token"):
        ray_environment({})


@pytest.mark.parametrize("given", [{"RAY_AUTH_TOKEN": "f" * 64}, {"RAY_AUTH_TOKEN_PATH": "/run/secrets/token"}])
def test_a_token_that_is_given_is_taken(home: Path, given: dict[str, str]) -> None:
    environment = ray_environment(given)
    assert environment["RAY_AUTH_MODE"] == "token"
    assert "RAY_AUTH_TOKEN_PATH" not in environment
    assert list(home.iterdir()) == []


def test_invoices_serve_starts_ray_in_this_environment() -> None:
    # Without what the tests themselves run in.
    own = {"RAY_USAGE_STATS_ENABLED", "RAY_SERVE_HTTP_PROXY_CALLBACK_IMPORT_PATH"}
    assert ray_environment().keys() - own <= local_graph.environment().keys()
    assert local_graph.environment()["RAY_AUTH_MODE"] == "token"


def test_the_command_env_runs_a_command_in_this_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[tuple[str, list[str], dict[str, str]]] = []
    monkeypatch.setattr("os.execvpe", lambda *arguments: ran.append(arguments))
    CliRunner().invoke(cli.app, ["env", "ray", "start", "--head", "--num-cpus=8"], catch_exceptions=False)
    [(name, command, environment)] = ran
    assert (name, command) == (sys.executable, [sys.executable, "-m", ray_start.__name__, "--head", "--num-cpus=8"])
    assert environment.items() >= ray_environment().items()
    assert environment["RAY_AUTH_MODE"] == "token"


def test_a_command_that_does_not_exist_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["invoices", "env", "no-such-command"])
    with pytest.raises(SystemExit):
        cli.main()
    assert capsys.readouterr().err == "invoices: cannot run no-such-command (No such file or directory)\n"


def test_every_recipe_that_starts_ray_uses_it() -> None:
    """In the documentation, a line of code that starts Ray, or talks to it, goes through `invoices env`."""
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    recipe = re.compile(r"^ {4}(?:\S*/)?(ray|serve) (?:start|deploy|run|status|stop)\b.*", re.MULTILINE)
    assert [(page.name, found) for page in pages for found in recipe.findall(page.read_text())] == []
