"""Hooks of MkDocs (mkdocs.yml): pages of the repository that lie outside docs/ are part of the site.

Links between pages are written for the repository, where every reader of the files follows them. On the site a link to
one of these pages leads to its place there, and a link to any other file is its text alone.
"""

import os.path
import re
from pathlib import Path, PurePosixPath

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent
PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "benchmarks/handwritten/README.md": "experiments/handwritten-documents.md",
    "deploy/observability/runbook.md": "how-to/runbook.md",
    "models/weights/README.md": "reference/model-card.md",
}
"""Places on the site by paths in the repository."""
_SOURCES = {place: path for path, place in PAGES.items()}
_FENCED = re.compile(r"(^ *```.*?^ *```)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s#:]+)(#[^)\s]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that lie outside docs/."""
    for path, place in PAGES.items():
        files.append(File.generated(config, place, content=(ROOT / path).read_text()))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Lead links to their places on the site, except in blocks of code."""
    parts = _FENCED.split(markdown)
    return "".join(part if part.lstrip().startswith("```") else _on_site(part, page.file.src_uri) for part in parts)


def _on_site(text: str, place: str) -> str:
    here = PurePosixPath(_SOURCES.get(place, f"docs/{place}")).parent

    def replaced(link: re.Match[str]) -> str:
        mark, words, path, anchor = link.groups()
        target = os.path.normpath(here / path)
        found = PAGES.get(target) or (target.removeprefix("docs/") if target.startswith("docs/") else None)
        if found is None:
            return words
        return f"{mark}[{words}]({os.path.relpath(found, PurePosixPath(place).parent)}{anchor or ''})"

    return _LINK.sub(replaced, text)
