"""`python -m benchmarks.handwritten OUT`: print the handwritten pages, to measure how PDFs with text are read.

OUT gets a folder for `make evaluate DATA=OUT`: the pages as Chromium prints them, and their true values.
"""

import argparse
import csv
import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

PAGES = Path(__file__).parent


def main() -> None:
    """Print every page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.handwritten", description=__doc__)
    parser.add_argument("out", type=Path, help="the folder to write to")
    out: Path = parser.parse_args().out
    rows = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page()
        for html in sorted((PAGES / "docs").glob("*/*.html")):
            kind, name = html.parent.name, f"{html.stem}.pdf"
            for folder in (out / "docs" / kind, out / "truth" / kind):
                folder.mkdir(parents=True, exist_ok=True)
            page.goto(html.as_uri())
            page.pdf(path=out / "docs" / kind / name, prefer_css_page_size=True, print_background=True)
            shutil.copy(PAGES / "truth" / kind / f"{html.name}.json", out / "truth" / kind / f"{name}.json")
            rows.append((kind, name, "text-pdf"))
        browser.close()
    with (out / "MANIFEST.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("set", "file", "kind"), *rows])


if __name__ == "__main__":
    main()
