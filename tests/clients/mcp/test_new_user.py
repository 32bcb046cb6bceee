"""From nothing to ten invoices in a CSV, by tools over stdio."""

import csv
import importlib.util
import os
from pathlib import Path

import pytest

from tests.api.live import Live
from tests.clients.conftest import ROOT
from tests.support import PDF_BYTES

EXAMPLE = ROOT / "clients" / "mcp" / "examples" / "folder_to_csv.py"


async def test_ten_documents_become_rows(live: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, out = tmp_path / "inbox", tmp_path / "invoices.csv"
    folder.mkdir()
    sources = [str(ROOT / "clients" / name / "src") for name in ("python", "mcp")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sources))
    for number in range(10):
        (folder / f"{number}.pdf").write_bytes(PDF_BYTES + b"\n%" + str(number).encode())
    spec = importlib.util.spec_from_file_location("folder_to_csv", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    await module.main(folder, sorted(folder.iterdir()), out)
    rows = list(csv.DictReader(out.read_text().splitlines()))
    assert [row["file"] for row in rows] == [f"{number}.pdf" for number in range(10)]
    assert {(row["vendor"], row["amount"]) for row in rows} == {("ACME GmbH", "1190.5")}
    assert all("vendor" in row["doubts"] for row in rows)
