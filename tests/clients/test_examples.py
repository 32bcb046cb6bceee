"""The examples in the documentation of the Python client run as they are."""

import importlib.util
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from invoices_client import AsyncClient, Client
from tests.api.live import Live
from tests.clients.conftest import ROOT

PAGE = ROOT / "docs" / "how-to" / "use-a-client.md"
PACKAGE = ROOT / "clients" / "python"
_WORD = re.compile(r"\w[\w'’.,/:-]*")
_CODE = re.compile(r"^```.*?^```|^    .*?$", re.MULTILINE | re.DOTALL)


def examples(page: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)


def test_the_page_runs_from_top_to_bottom(live: Live, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    for example in examples(PAGE):
        exec(compile(example, PAGE.name, "exec"), names)  # noqa: S102
    names["client"].close()
    printed = capsys.readouterr().out
    assert "ACME GmbH 1190.5 EUR" in printed
    assert "unsupported_file_type 415" in printed
    with Client() as client:
        assert {each.entity_tag for each in client.invoices.list(status="complete", paid=False)} >= {"north"}


@pytest.mark.parametrize("page", [ROOT / "README.md", PACKAGE / "README.md"], ids=lambda page: page.parent.name)
def test_the_readmes_run_too(page: Path, live: Live, capsys: pytest.CaptureFixture[str]) -> None:
    for example in examples(page):
        assert "invoices_client" in example
        names: dict[str, Any] = {}
        exec(compile(example.replace("inv_live_...", live.full_key), page.name, "exec"), names)  # noqa: S102
    assert "ACME GmbH 1190.5 EUR" in capsys.readouterr().out


@pytest.mark.parametrize("page", [PAGE, *ROOT.glob("clients/*/README.md")], ids=lambda page: page.parent.name)
def test_each_section_about_a_client_is_short(page: Path) -> None:
    for section in page.read_text().split("\n## "):
        assert len(_WORD.findall(_CODE.sub("", section))) < 300


def example(name: str) -> Any:
    """An example of the package as a module."""
    spec = importlib.util.spec_from_file_location(name, PACKAGE / "examples" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_folder_is_sent(live: Live, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "inbox"
    folder.mkdir()
    (folder / "a.pdf").write_bytes((ROOT / "samples" / "invoice.pdf").read_bytes())
    (folder / "b.pdf").write_bytes(b"plain text")
    example("send_folder").main(folder)
    assert "unsupported_file_type" in capsys.readouterr().out


async def test_changes_are_followed(live: Live) -> None:
    async with AsyncClient() as client:
        assert await example("follow_changes").follow(client, datetime.now(UTC)) is not None


def test_the_receiver_can_be_started() -> None:
    assert example("receive_webhooks").SECRETS == []
