"""What an operator sees without any other program."""

import asyncio
import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from models.footprint import Tried
from serve_app.commands.metrics import targets_of
from serve_app.mail.smtp import SmtpMailer
from serve_app.mail.smtp_url import SmtpServer
from serve_app.store.mongo.engine.server_clock import clock_ahead
from tests.cli.command_line import attempt, run
from tests.support.ports import free_port
from tests.support.wire_server import wire_server


@pytest.fixture(autouse=True)
def _no_models(monkeypatch: pytest.MonkeyPatch) -> None:
    """They take seconds to load."""
    tried = [("Extractor", Tried("extractor@1", None, 200)), ("Verifier", Tried("verifier@1", None, 200))]
    monkeypatch.setattr("serve_app.commands.models.tried_models", lambda path: iter(tried))


def verdicts(output: str) -> dict[str, str]:
    return {line.split()[1]: line.split()[0] for line in output.splitlines()}


def test_the_queue_is_shown_by_kind_by_account_and_by_stage(account: str) -> None:
    shown = run("queue", "--once")
    for word in ("oldest waiting: none", "oldest running: none", "text", "scan", "photo", "all", "ocr", "reconcile"):
        assert word in shown
    assert account not in shown
    assert "by account" in run("queue", "--once", "--accounts")


def test_the_doctor_has_a_line_for_everything(account: str) -> None:
    found = verdicts(run("doctor", "--port", str(free_port())))
    names = ["store", "files", "keys", "plans", "clock", "disk", "mail", "sandbox", "models", "ports"]
    assert list(found) == names
    assert "FAILS" not in found.values()
    assert (found["store"], found["models"], found["ports"], found["mail"]) == ("ok", "ok", "look", "look")


def test_in_another_folder_the_doctor_makes_nothing(folder: Path) -> None:
    result = attempt("doctor", "--port", str(free_port()))
    found = verdicts(result.stdout)
    assert [found[name] for name in ("store", "files", "keys", "disk")] == ["look"] * 4
    assert f"there is no database {folder}/data/invoices.db yet" in result.stdout
    assert list(folder.iterdir()) == []


def test_a_key_that_no_start_would_make_is_missing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with wire_server() as (_, url):
        monkeypatch.setenv("DATABASE_URL", url)
        found = verdicts(attempt("doctor", "--port", str(free_port())).stdout)
    assert found["keys"] == "FAILS"


def test_what_does_not_work_is_named_and_fails_the_command(account: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMTP_URL", f"smtp://user:hush-hush@127.0.0.1:{free_port()}")
    monkeypatch.setenv("MAIL_FROM", "i@mail.example")
    monkeypatch.setenv("PUBLIC_URL", "https://invoices.example")
    result = attempt("doctor", "--port", str(free_port()))
    assert result.exit_code == 1
    assert verdicts(result.stdout)["mail"] == "FAILS"
    assert "hush-hush" not in result.output


def test_the_mail_server_is_tried_by_signing_in(account: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[SmtpServer] = []

    async def sign_in(self: SmtpMailer) -> None:
        tried.append(self._server)

    monkeypatch.setattr(SmtpMailer, "sign_in", sign_in)
    monkeypatch.setenv("SMTP_URL", "smtp://user:hush-hush@mail.example")
    monkeypatch.setenv("MAIL_FROM", "i@mail.example")
    monkeypatch.setenv("PUBLIC_URL", "https://invoices.example")
    shown = run("doctor", "--port", str(free_port()))
    assert "ok     mail     mail.example:587 takes user and password" in shown
    assert [server.user for server in tried] == ["user"]
    assert "hush-hush" not in shown


@pytest.mark.parametrize(("ahead", "output"), [(-30, "30.0 s ahead of MongoDB's"), (30, "30.0 s behind MongoDB's")])
def test_a_clock_unlike_the_databases_is_reported(
    folder: Path, monkeypatch: pytest.MonkeyPatch, ahead: float, output: str
) -> None:
    with wire_server(ahead) as (_, url):
        monkeypatch.setenv("DATABASE_URL", url)
        clock = next(
            line
            for line in attempt("doctor", "--port", str(free_port())).stdout.splitlines()
            if line.split()[1] == "clock"
        )
    assert clock.startswith("look")
    assert output in clock


def test_a_clock_like_the_databases_is_no_problem(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with wire_server() as (_, url):
        ahead = asyncio.run(clock_ahead(url))
    assert abs(ahead.total_seconds()) < 1


def test_a_database_that_is_none_fails(folder: Path) -> None:
    (folder / "data").mkdir(mode=0o700)
    (folder / "data" / "invoices.db").write_text("not a database" * 100)
    assert verdicts(attempt("doctor", "--port", str(free_port())).stdout)["store"] == "FAILS"


def test_a_service_that_is_not_ready_fails(account: str) -> None:
    class Unready(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_error(503)

        def log_message(self, format: str, *args: object) -> None: ...

    server = HTTPServer(("127.0.0.1", 0), Unready)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    result = attempt("doctor", "--port", str(server.server_port))
    server.shutdown()
    server.server_close()
    assert verdicts(result.stdout)["ports"] == "FAILS"


def test_prometheus_gets_every_machine_that_listens_for_it() -> None:
    everywhere = json.loads(targets_of(["10.0.0.2", "10.0.0.1", "10.0.0.2"], "0.0.0.0", 9464))  # noqa: S104
    assert everywhere == [{"targets": ["10.0.0.1:9464", "10.0.0.2:9464"], "labels": {"service": "invoices"}}]
    assert json.loads(targets_of(["10.0.0.1"], "127.0.0.1", 9464))[0]["targets"] == ["127.0.0.1:9464"]
