"""`make docs`: all pages become one site with search, without a warning; links of the repository work there."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.docs.pages import ROOT

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site() -> Iterator[Path]:
    with TemporaryDirectory() as folder:
        command = [str(ROOT / ".venv/bin/mkdocs"), "build", "--strict", "--site-dir", folder]
        environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert "WARNING" not in done.stderr
        yield Path(folder)


def test_the_site_is_found_by_search(site: Path) -> None:
    found = {
        entry["location"].partition("#")[0]
        for entry in json.loads((site / "search/search_index.json").read_text())["docs"]
    }
    assert {"index.html", "changelog.html", "adr/index.html"} <= found


def test_a_link_out_of_the_docs_folder_leads_to_a_page_of_the_site(site: Path) -> None:
    page = (site / "index.html").read_text()
    assert 'href="changelog.html"' in page
    assert 'src="pictures/web-invoice.webp"' in page


def test_the_site_loads_nothing_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        loaded = re.findall(r'<(?:script|img|link|iframe)\b[^>]*?\b(?:src|href)="([^"]*)"', page.read_text())
        assert [address for address in loaded if re.match(r"(?:https?:)?//", address)] == []
