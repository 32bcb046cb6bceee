"""Links between the pages, and the paths of code that they name, lead to files and headings that exist."""

import re

from tests.docs.pages import ROOT, anchors_of, links_of, markdown_files

CODE_PATH = re.compile(r"`((?:serve_app|actors|models|tests|benchmarks|scripts)/[\w./-]*)`")
# What was at that time.
HISTORY = {"adr", "experiments"}


def test_every_link_leads_to_a_file_and_a_heading() -> None:
    broken: list[str] = []
    for page in markdown_files():
        for link in links_of(page):
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            if not target.exists() or (anchor and anchor not in anchors_of(target)):
                broken.append(f"{page.relative_to(ROOT)}: {link}")
    assert not broken


def test_every_path_of_code_leads_to_a_file_or_a_folder() -> None:
    missing = [
        f"{page.relative_to(ROOT)}: {path}"
        for page in markdown_files()
        if not HISTORY & set(page.parts) and page.name != "CHANGELOG.md"
        for path in CODE_PATH.findall(page.read_text())
        if not (ROOT / path).exists()
    ]
    assert not missing
