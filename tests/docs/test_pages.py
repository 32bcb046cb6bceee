"""Pages: each has a kind and a place in the navigation, and is short enough to be read at once."""

import re
from pathlib import Path

import pytest
import yaml

from scripts.docs_site import PAGES
from tests.docs.pages import DOCS, ROOT

KINDS = ("tutorials", "how-to", "reference", "explanation")
MOST_WORDS = 1500
PAGES_BY_KIND = sorted(page for kind in KINDS for page in (DOCS / kind).glob("*.md"))
_WORD = re.compile(r"\w[\w'’.,/:-]*")
_NO_PROSE = re.compile(r"^ *```.*?^ *```|\]\([^)]*\)", re.MULTILINE | re.DOTALL)


def test_every_page_has_a_kind() -> None:
    assert [page.name for page in DOCS.glob("*.md")] == []
    assert {folder.name for folder in DOCS.iterdir()} == {*KINDS, "adr", "experiments", "examples", "pictures"}


@pytest.mark.parametrize("page", PAGES_BY_KIND, ids=lambda page: f"{page.parent.name}-{page.stem}")
def test_a_page_is_read_at_once(page: Path) -> None:
    assert len(_WORD.findall(_NO_PROSE.sub("", page.read_text()))) <= MOST_WORDS


def test_the_navigation_leads_to_every_page() -> None:
    pages = {str(page.relative_to(DOCS)) for page in PAGES_BY_KIND}
    elsewhere = {"adr/README.md", "experiments/README.md", *PAGES.values()}
    assert set(_leaves(yaml.safe_load((ROOT / "mkdocs.yml").read_text())["nav"])) == pages | elsewhere


def test_every_experiment_is_in_their_list() -> None:
    folder = DOCS / "experiments"
    index = (folder / "README.md").read_text()
    assert [page.name for page in folder.glob("*.md") if page.name != "README.md" and page.name not in index] == []


def _leaves(nav: object) -> list[str]:
    if isinstance(nav, str):
        return [nav]
    entries = nav.values() if isinstance(nav, dict) else nav if isinstance(nav, list) else []
    return [leaf for entry in entries for leaf in _leaves(entry)]
