"""The tests of the TypeScript client, against a service over HTTP. `make clients` builds what they need."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.api.live import Live
from tests.clients.conftest import ROOT

PACKAGE = ROOT / "clients" / "typescript"
_BUILT = {"dist/index.js": ("src",), "build/tests/service.test.js": ("src", "tests")}


def _missing() -> str:
    """Why the tests cannot run here."""
    if shutil.which("node") is None:
        return "node is missing"
    if not all(_is_up_to_date(PACKAGE / name, sources) for name, sources in _BUILT.items()):
        return "the client is not built from these sources: make clients"
    return ""


def _is_up_to_date(built: Path, folders: tuple[str, ...]) -> bool:
    sources = (source for folder in folders for source in (PACKAGE / folder).rglob("*.ts"))
    return built.exists() and built.stat().st_mtime >= max(source.stat().st_mtime for source in sources)


@pytest.mark.skipif(bool(_missing()), reason=_missing())
def test_the_typescript_client_passes_its_tests(live: Live, tmp_path: Path) -> None:
    tests = sorted(map(str, (PACKAGE / "build" / "tests").glob("*.test.js")))
    environment = {**os.environ, "INVOICES_URL": live.url, "INVOICES_API_KEY": live.full_key}
    done = subprocess.run(
        ["node", "--test", "--test-reporter=spec", *tests],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-5000:]
    assert "skipped 0" in done.stdout
