"""The blocking client and the command, over HTTP."""

import csv
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from invoices_client import Client, InvalidRequestError
from invoices_client.cli import main
from serve_app.domain.batch import Section
from serve_app.settings import Settings
from tests.api.live import Live, live_service
from tests.support import PDF_BYTES
from tests.support.mails import READ

SOURCE = Path(__file__).parents[2] / "clients" / "python" / "src"


@pytest.fixture
def live(settings: Settings) -> Iterator[Live]:
    changes = {"rate_limit": 100_000, "wait_seconds": 20}
    with live_service(settings.model_copy(update=changes), lambda *_: [Section(1, 1, READ)]) as live:
        yield live


@pytest.fixture
def client(live: Live) -> Iterator[Client]:
    with Client(api_key=live.full_key, url=live.url) as client:
        yield client


@pytest.fixture
def environment(live: Live, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    values = {"INVOICES_URL": live.url, "INVOICES_API_KEY": live.full_key}
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    return {**os.environ, "PYTHONPATH": str(SOURCE)}


def documents(folder: Path, count: int) -> list[Path]:
    paths = [folder / f"{number}.pdf" for number in range(count)]
    for path in paths:
        path.write_bytes(PDF_BYTES + path.name.encode())
    return paths


def table(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_it_has_the_same_calls(client: Client, tmp_path: Path) -> None:
    before = sum(1 for _ in client.invoices.list(limit=2))
    (path,) = documents(tmp_path, 1)
    invoice = client.invoices.create_and_wait(path=path)
    assert (invoice.status, invoice.amount) == ("complete", Decimal("1190.5"))
    assert sum(1 for _ in client.invoices.list(limit=2)) == before + 1
    with pytest.raises(InvalidRequestError, match="unsupported_file_type"):
        client.with_options(timeout=5, max_retries=0).invoices.create(file=b"plain text")
    asked = client.invoices.request_approval(invoice.id, email="boss@example.com")
    assert asked.approval_status == "requested"
    hook = client.webhook_endpoints.create(url="https://example.com/hooks/new", types=["invoice.completed"])
    assert client.webhook_endpoints.update(hook.id, active=False).paused_reason == "by_hand"
    assert client.webhook_endpoints.rotate_secret(hook.id).secret != hook.secret
    client.webhook_endpoints.delete(hook.id)
    assert [mail.subject for mail in client.mails.list()] == [mail.subject for mail in client.mails.list(limit=1)]


def test_many_documents_are_sent_in_threads(client: Client, tmp_path: Path) -> None:
    paths = [*documents(tmp_path, 10), tmp_path / "missing.pdf"]
    seen: list[Path] = []
    results = list(client.invoices.create_many(paths, concurrency=4, progress=lambda result: seen.append(result.path)))
    assert sorted(seen) == sorted(paths)
    assert [result.path.name for result in results if result.error] == ["missing.pdf"]
    assert len({result.invoice.id for result in results if result.invoice}) == 10


@pytest.mark.usefixtures("environment")
def test_the_command_writes_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = documents(tmp_path, 3)
    paths[1].write_bytes(b"plain text")
    out = tmp_path / "results.csv"
    assert main(["send", *map(str, paths), "--out", str(out)]) == 1
    first, wrong, last = table(out)
    assert (first["file"], first["amount"], first["amount_confidence"]) == (str(paths[0]), "1190.5", "high")
    assert (wrong["id"], wrong["error"].partition(":")[0], last["status"]) == ("", "unsupported_file_type", "complete")
    assert "3/3" in capsys.readouterr().err
    paths[1].write_bytes(PDF_BYTES)
    assert main(["send", *map(str, paths), "--out", str(out)]) == 0
    assert [row["id"] for row in table(out)][::2] == [first["id"], last["id"]]


def test_the_command_needs_a_key(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("INVOICES_API_KEY", raising=False)
    assert main(["send", "a.pdf", "--out", "b.csv"]) == 2
    assert "INVOICES_API_KEY" in capsys.readouterr().err


def test_a_killed_command_continues(environment: dict[str, str], client: Client, tmp_path: Path) -> None:
    paths, out = documents(tmp_path, 40), tmp_path / "results.csv"
    journal = Path(f"{out}.journal")
    command = [sys.executable, "-m", "invoices_client.cli", "send", *map(str, paths), "--out", str(out)]
    before = sum(1 for _ in client.invoices.list(limit=100))
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as running:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and (not journal.exists() or journal.read_bytes().count(b"\n") < 20):
            time.sleep(0.005)
        running.send_signal(signal.SIGKILL)
    assert not out.exists()
    assert main(["send", *map(str, paths), "--out", str(out)]) == 0
    rows = table(out)
    assert [row["file"] for row in rows] == [str(path) for path in paths]
    assert sum(1 for _ in client.invoices.list(limit=100)) == before + 40
    assert len({row["id"] for row in rows}) == 40
