"""`python -m benchmarks.handwritten OUT [--as scan] [--every 12]`: the handwritten pages as PDFs with text, as scans or
as photos.

OUT gets a folder for `make evaluate DATA=OUT`: the pages as Chromium prints them or as pictures of these, and their
true values.
"""

import argparse
import csv
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pypdfium2 as pdfium
from PIL import Image

from models.training.annotated.drawing import browser_tab
from models.training.picture import Picture, pdf_picture, photographed, scanned

PAGES = Path(__file__).parent
_DPI = 200
_KINDS = {"pdf": "text-pdf", "scan": "scan", "photo": "photo"}


def main() -> None:
    """Print every page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.handwritten", description=__doc__)
    parser.add_argument("out", type=Path, help="the folder to write to")
    parser.add_argument("--pages", type=Path, default=PAGES, help="a folder with docs/ and truth/")
    parser.add_argument("--as", dest="kind", choices=_KINDS, default="pdf", help="pictures are always the same ones")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th document of each set")
    parser.add_argument("--first", type=int, default=0, metavar="M", help="start with the M-th, from 0")
    options = parser.parse_args()
    out: Path = options.out
    rows = []
    with TemporaryDirectory() as folder, browser_tab() as tab:
        printed = Path(folder) / "printed.pdf"
        for html in _chosen(options.pages / "docs", options.every, options.first):
            set_, name = html.parent.name, f"{html.stem}.pdf"
            for part in (out / "docs" / set_, out / "truth" / set_):
                part.mkdir(parents=True, exist_ok=True)
            tab.goto(html.absolute().as_uri())
            tab.pdf(path=printed, prefer_css_page_size=True, print_background=True)
            _save(printed, out / "docs" / set_ / name, options.kind)
            shutil.copy(options.pages / "truth" / set_ / f"{html.name}.json", out / "truth" / set_ / f"{name}.json")
            # Each set was written by another author.
            rows.append((set_, name, _KINDS[options.kind], set_))
    with (out / "MANIFEST.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("set", "file", "kind", "source"), *rows])


def _chosen(docs: Path, every: int, first: int) -> Iterator[Path]:
    for folder in sorted(docs.iterdir()):
        yield from sorted(folder.glob("*.html"))[first::every]


def _save(printed: Path, path: Path, kind: str) -> None:
    """The printed document as it is, or a PDF of pictures of its pages."""
    if kind == "pdf":
        shutil.copy(printed, path)
        return
    rng = Random(path.name)  # noqa: S311 - the same dirt for everybody
    take = scanned if kind == "scan" else photographed
    first, *others = [Image.fromarray(take(picture, rng)) for picture in _pictures(printed)]
    first.save(path, "PDF", resolution=_DPI, save_all=True, append_images=others, quality=90)


def _pictures(printed: Path) -> list[Picture]:
    file = pdfium.PdfDocument(printed)
    try:
        return [pdf_picture(page, _DPI) for page in file]
    finally:
        file.close()


if __name__ == "__main__":
    main()
