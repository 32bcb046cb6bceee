"""`invoices data annotated`: write labelled documents drawn from annotated pages."""

import argparse
import gzip
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Page as Tab

from models.training.annotated.drawing import Drawn, as_html, browser_tab, printed, scanned
from models.training.real import page_entry

PAGES = Path(__file__).parent / "pages"
_NAME = "annotated.jsonl.gz"
# Rankers are fitted on what the models have not learned by heart: these folders are theirs.
_OF_RANKERS = frozenset({"form_grids", "mixed_english", "mixed_europe", "people_all", "tables", "tills", "world"})
# The share of pages held out of training.
_HELD_OUT = 1 / 9
_LOG = logging.getLogger(__name__)


def main() -> None:
    """Draw every page several times."""
    parser = argparse.ArgumentParser(prog="invoices data annotated", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help=f"the folder to which {_NAME} is written")
    parser.add_argument("--pages", type=Path, default=PAGES, help="a folder of folders of annotated pages (*.html)")
    parser.add_argument(
        "--for", dest="learner", choices=("models", "rankers"), default="models", help="who learns of them"
    )
    scans = (
        "print and scan each page, and read it by OCR (some seconds each), instead of printing it and reading its text"
    )
    parser.add_argument("--scans", action="store_true", help=scans)
    parser.add_argument("--times", type=int, default=3, help="how often each page is printed")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    options.out.mkdir(parents=True, exist_ok=True)
    target = options.out / _NAME
    new = target.with_suffix(".new")
    with gzip.open(new, "wt", encoding="utf-8") as lines, browser_tab() as tab:
        for file in _files(options.pages, options.learner):
            for line in _documents(tab, file, options.times, is_scan=options.scans):
                lines.write(json.dumps(line, ensure_ascii=False) + "\n")
    new.replace(target)


def _files(pages: Path, learner: str) -> list[Path]:
    is_of_rankers = learner == "rankers"
    return [file for file in sorted(pages.glob("*/*.html")) if (file.parent.name in _OF_RANKERS) is is_of_rankers]


def _documents(tab: Tab, file: Path, times: int, *, is_scan: bool) -> Iterator[dict[str, Any]]:
    name = f"{file.parent.name}-{file.stem}"
    # By its name alone, so that further pages move no other from one side to the other.
    split = "validation" if Random(f"split/{name}").random() < _HELD_OUT else "train"
    draw = scanned if is_scan else printed
    drawn = [draw(tab, file, Random(f"{name}/{index}")) for index in range(times if split == "train" else 1)]
    if not is_scan:
        drawn.append(as_html(tab, file))
    for index, each in enumerate(drawn):
        if each.lost:
            _LOG.info("%s, %s: %s values without a word", name, each.kind, each.lost)
        yield _line(f"{name}-{each.kind}-{index}", name, split, each)


def _line(id_: str, issuer: str, split: str, drawn: Drawn) -> dict[str, Any]:
    """The document in the format of real ones (docs/how-to/train-models.md)."""
    return {
        "id": id_, "source": "annotated", "issuer": issuer, "kind": drawn.kind, "doc_type": drawn.doc_type,
        "split": split, "pages": [page_entry(page) for page in drawn.pages], "labels": drawn.tags,
        "values": drawn.values,
    }  # fmt: skip


if __name__ == "__main__":
    main()
