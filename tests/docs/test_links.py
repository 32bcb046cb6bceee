"""Links between the pages lead to files and headings that exist."""

from tests.docs.pages import ROOT, anchors_of, links_of, markdown_files


def test_every_link_leads_to_a_file_and_a_heading() -> None:
    broken: list[str] = []
    for page in markdown_files():
        for link in links_of(page):
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            if not target.exists() or (anchor and anchor not in anchors_of(target)):
                broken.append(f"{page.relative_to(ROOT)}: {link}")
    assert not broken
