"""The command line: quick help, one clear line for every error, the API's own JSON."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from rich.markup import render
from typer.testing import CliRunner

from serve_app.commands import cli, preflight
from serve_app.commands.errors import CommandError
from serve_app.commands.serve import reason
from serve_app.documents.isolation import probe
from serve_app.documents.options import ReadOptions
from serve_app.domain.invoice import Invoice
from serve_app.domain.target_precision import TargetPrecision
from serve_app.domain.user_error import UserError
from serve_app.extraction.confidence.calibration import UNFITTED
from serve_app.keys.sealing import new_key
from serve_app.settings import Settings
from serve_app.system.folder_lock import lock_folders
from tests.cli.command_line import UNKNOWN, Fails, run
from tests.support.checkpoints import write_layout_checkpoint, write_text_checkpoint
from tests.support.pdfs import write_invoice_pdf


def test_help_lists_the_commands_without_loading_torch_or_ray() -> None:
    code = (
        "import sys; from typer.testing import CliRunner; from serve_app.commands.cli import app;"
        "print(CliRunner().invoke(app, ['--help']).output);"
        "assert not {'torch', 'ray', 'transformers', 'fastapi'} & sys.modules.keys()"
    )
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    for command in ("serve", "extract", "evaluate", "account", "key"):
        assert re.search(rf"\b{command}\b", output)


def help_texts(command: Any) -> Iterator[str]:
    """What the help of a command and of those below it says."""
    yield command.help or ""
    yield from (getattr(each, "help", None) or "" for each in command.params)
    for child in getattr(command, "commands", {}).values():
        yield from help_texts(child)


def test_no_help_loses_words_in_brackets() -> None:
    texts = list(help_texts(typer.main.get_command(cli.app)))
    assert [text for text in texts if render(text).plain != text] == []


def test_an_account_comes_with_a_key() -> None:
    output = run("account", "create", "--plan", "pro")
    assert re.search(r"account  [0-9a-f-]{36}\nAPI key  inv_live_\S{40,}\n", output)


def test_keys_are_created_listed_and_revoked() -> None:
    account = run("account", "create").split()[1]
    key = run("key", "create", account, "--name", "reports", "--scope", "read").split()[1]
    assert re.search(rf"{key}  inv_live_\S+  read  \S+  valid  reports", run("key", "list", account))
    assert run("key", "revoke", account, key) == f"revoked  {key}\n"
    assert re.search(rf"{key} .* revoked \S+  reports", run("key", "list", account))


def test_a_listed_key_is_never_shown_whole() -> None:
    account, raw = (run("account", "create").split()[i] for i in (1, 4))
    assert raw not in run("key", "list", account)


def test_a_plan_can_be_changed() -> None:
    account = run("account", "create", "--plan", "free").split()[1]
    assert run("account", "plan", account, "business") == "plan     business\n"


@pytest.mark.parametrize("command", [("key", "create"), ("key", "list"), ("account", "plan")])
def test_an_unknown_account_is_one_line(command: tuple[str, ...], fails: Fails) -> None:
    more = ["pro"] if "plan" in command else []
    line = fails(*command, UNKNOWN, *more)
    assert line == f"invoices: there is no account {UNKNOWN}"


def test_a_key_that_does_not_exist_is_not_revoked(fails: Fails) -> None:
    account = run("account", "create").split()[1]
    assert "has no key" in fails("key", "revoke", account, UNKNOWN)


def test_a_taken_port_is_one_line(fails: Fails) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        line = fails("serve", "--port", str(port))
    assert line.startswith(
        f"invoices: cannot listen on 127.0.0.1:{port} (Address already in use) by process {os.getpid()} "
    )


@pytest.mark.parametrize("file", ["signing.key", "encryption.key"])
def test_a_service_with_an_empty_key_does_not_start(file: str, folder: Path, fails: Fails) -> None:
    (folder / "data").mkdir()
    (folder / "data" / file).touch()
    assert f"data/{file} does not contain a usable key" in fails("serve", "--port", "0")


def test_a_service_whose_key_does_not_open_the_secrets_does_not_start(
    account: str, endpoint: str, folder: Path, fails: Fails
) -> None:
    key = folder / "data" / "encryption.key"
    key.write_text(new_key())
    line = fails("serve", "--port", "0")
    assert "cannot decrypt" in line
    assert f"{account} {endpoint}" in line
    key.unlink()
    assert "The service does not create a key, because it encrypts existing secrets of webhook endpoints" in fails(
        "serve", "--port", "0"
    )
    assert not key.exists()


def test_a_second_service_on_a_data_folder_is_refused(folder: Path, fails: Fails) -> None:
    with lock_folders(Settings(database_url=f"sqlite:///{folder}/data/invoices.db").local_folders, "another"):
        line = fails("serve", "--port", "0")
    assert f"the folder {folder}/data of DATABASE_URL is in use by the service (process " in line
    assert f"(process {os.getpid()} on " in line


def test_settings_that_contradict_each_other_and_the_graph_are_one_line(
    monkeypatch: pytest.MonkeyPatch, fails: Fails
) -> None:
    monkeypatch.setenv("LEASE_SECONDS", "5")
    monkeypatch.setenv("STOP_SECONDS", "100")
    line = fails("serve", "--port", "0")
    assert "LEASE_SECONDS (5)" in line
    assert "STOP_SECONDS (100)" in line


@pytest.mark.parametrize("defect", [ValueError("a defect"), TypeError("a defect"), LookupError("a defect")])
def test_a_defect_keeps_its_traceback(defect: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise defect

    monkeypatch.setattr(preflight, "check_tools", fail)
    monkeypatch.setattr(sys, "argv", ["invoices", "serve", "--port", "0"])
    with pytest.raises(type(defect), match="a defect"):
        cli.main()


def test_a_sample_that_does_not_exist_is_one_line(fails: Fails) -> None:
    assert fails("serve", "--sample", "no.pdf") == "invoices: no.pdf: no such file"


def test_a_bad_setting_is_one_line(monkeypatch: pytest.MonkeyPatch, fails: Fails) -> None:
    monkeypatch.setenv("LEASE_SECONDS", "-1")
    assert "LEASE_SECONDS" in fails("account", "create")


def test_a_database_that_is_none_is_one_line(folder: Path, fails: Fails) -> None:
    (folder / "data").mkdir()
    (folder / "data" / "invoices.db").write_bytes(b"this is no database, whatever its name says" * 100)
    assert "cannot open the database" in fails("account", "create")
    assert "cannot open the database" in fails("serve", "--port", "0")


def test_a_full_disk_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(folder)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=5 * 10**8))
    with pytest.raises(CommandError, match="only 500 MB are free"):
        preflight.check_folders(Settings().resolved())


def test_a_folder_that_cannot_be_written_is_refused(folder: Path) -> None:
    (folder / "file").write_text("in the way")
    with pytest.raises(CommandError, match="cannot write to the data folder"):
        preflight.check_folders(Settings(files_url=str(folder / "file" / "below")).resolved())


def test_a_missing_tool_is_named_with_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(CommandError, match="pdftoppm is missing; install poppler-utils"):
        preflight.check_tools()


def test_the_reason_of_a_failed_start_is_the_last_line_of_its_trace() -> None:
    trace = "The deployment failed 3 times:\nTraceback (most recent call last):\n  File x\nModelError: no model in y\n"
    assert reason(trace) == "ModelError: no model in y"
    assert reason("") == "no reason given"


@pytest.fixture
def tiny_models(folder: Path) -> list[str]:
    layout, text = write_layout_checkpoint(folder / "e"), write_text_checkpoint(folder / "v")
    return ["--extractor", str(layout), "--verifier", str(text)]


def test_extract_prints_an_invoice_a_line(folder: Path, tiny_models: list[str]) -> None:
    files = [str(write_invoice_pdf(folder / name)) for name in ("a.pdf", "b.pdf")]
    invoices = [Invoice.model_validate_json(line) for line in run("extract", *tiny_models, *files).splitlines()]
    assert [invoice.file.name for invoice in invoices] == ["a.pdf", "b.pdf"]
    assert [invoice.status for invoice in invoices] == ["complete", "complete"]
    assert invoices[0].models is not None
    assert invoices[0].models.extractor == "e"


def test_extract_goes_on_after_a_file_that_fails(folder: Path, tiny_models: list[str]) -> None:
    good = str(write_invoice_pdf(folder / "good.pdf"))
    (folder / "bad.pdf").write_bytes(b"%PDF-1.4 nothing")
    result = CliRunner().invoke(cli.app, ["extract", *tiny_models, "missing.pdf", "bad.pdf", good])
    assert result.exit_code == 1
    assert [line.split(":")[0] for line in result.stderr.splitlines()] == ["missing.pdf", "bad.pdf"]
    assert json.loads(result.stdout)["file"]["name"] == "good.pdf"


def test_extract_pretty_indents(folder: Path, tiny_models: list[str]) -> None:
    output = run("extract", *tiny_models, "--pretty", str(write_invoice_pdf(folder / "a.pdf")))
    assert output.startswith('{\n  "')
    assert json.loads(output)["object"] == "invoice"


def test_extract_without_models_is_one_line(folder: Path, monkeypatch: pytest.MonkeyPatch, fails: Fails) -> None:
    from models import loading

    monkeypatch.setattr(loading, "WEIGHTS", folder / "none")
    write_invoice_pdf(folder / "a.pdf")
    assert "the models cannot be loaded" in fails("extract", "a.pdf")


def test_a_sandbox_that_is_required_and_not_to_be_had_is_reported_before_the_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(options: ReadOptions) -> dict[str, str]:
        raise UserError("SANDBOX=required, but documents would be read without landlock")

    monkeypatch.setattr(probe, "missing_layers", refuse)
    with pytest.raises(UserError, match="without landlock"):
        preflight.check_sandbox(Settings())


def test_what_a_sandbox_lacks_is_reported_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "missing_layers", lambda options: {"landlock": "Function not implemented"})
    assert preflight.check_sandbox(Settings()) == "landlock (Function not implemented)"
    monkeypatch.setattr(probe, "missing_layers", lambda options: {})
    assert preflight.check_sandbox(Settings()) is None


def test_a_plan_without_a_profile_says_how_to_take_one(folder: Path, fails: Fails) -> None:
    line = fails("plan", "--pages-per-day", "1000")
    assert line.startswith("invoices: there is no machine profile at data/profile.json; ")
    assert line.endswith("invoices plan --measure --profile data/profile.json")


def test_a_plan_has_the_price_of_a_thousand_pages(folder: Path) -> None:
    seconds = {"text": 0.36, "scan": 3.6, "photo": 3.6}
    stages = {"read": seconds, **dict.fromkeys(("extract", "verify", "reconcile"), dict.fromkeys(seconds, 0.0))}
    profile = {"taken_at": "2026-01-01T00:00:00Z", "machine": "test", "cores": 2, "gpu": None, **stages, "busy": stages}
    (folder / "p.json").write_text(json.dumps({**profile, "documents_a_second": 100, "bytes_a_document": 1000}))
    printed = run("plan", "--profile", "p.json", "--core-hour", "10", "--scans", "0.5")
    assert printed.splitlines() == [
        "1,000 pages at 10 a core-hour:",
        "  text: 1.3333 for the work on them",
        "  scans: 10.3333 for the work on them",
        "  50% scans: 5.8333 for the work on them",
    ]
    printed = run("plan", "--profile", "p.json", "--core-hour", "10", "--pages-per-day", "10000")
    assert "cores are paid around the clock" in printed.splitlines()[-1]


class TestTargetPrecision:
    def test_it_is_set_and_recorded_in_the_trail(self, account: str) -> None:
        assert run("account", "target-precision", account, "0.99") == "target   0.99\n"
        assert run("account", "target-precision", account, "default") == "target   default\n"
        assert run("audit", account).count("account.target_precision_changed") == 2

    def test_a_setting_that_the_calibrations_were_not_fitted_for_is_refused(self, folder: Path) -> None:
        (folder / "own.json").write_text(UNFITTED.model_dump_json())
        settings = Settings(calibration=folder / "own.json", target_precision=TargetPrecision.HIGHEST)
        with pytest.raises(UserError, match=r"TARGET_PRECISION=0\.999: the calibrations were fitted for 0\.99;"):
            preflight.check_calibrations(settings)
        assert preflight.check_calibrations(Settings(calibration=folder / "own.json")) == []

    def test_a_setting_that_is_none_is_refused_with_the_list(
        self, monkeypatch: pytest.MonkeyPatch, fails: Fails
    ) -> None:
        monkeypatch.setenv("TARGET_PRECISION", "0.98")
        message = fails("account", "create")
        assert "TARGET_PRECISION" in message
        assert "0.99, 0.995 or 0.999" in message

    def test_another_value_is_refused_with_the_list(self, account: str, fails: Fails) -> None:
        assert "Choose a target precision: 0.99" in fails("account", "target-precision", account, "0.98")
        assert "there is no account" in fails("account", "target-precision", UNKNOWN, "0.99")
