"""`invoices data generate OUT`: generated documents in the place of an engineer's own.

They are of a few layout families that nothing was trained on, as the documents of one company come from a few issuers:
files with their truth, to measure on, and the same documents with a tag for each word, to train on.
"""

import argparse
import csv
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from models.evaluation.gate.golden import truth_of
from models.training.generator.compose import HELD_OUT, draw
from models.training.generator.core.profile import Profile
from models.training.generator.families import FAMILIES
from models.training.real import page_entry
from models.training.render import render_pdf
from models.training.sample import Sample

SET = "own"
LABELLED = "labelled.jsonl"
# Some of those that are held out of training.
LAYOUTS = ("footer_only", "municipal_note", "pairs_page", "strip_with_total", "term_table", "title_band")
EVERY = "held-out"
"""All of them, instead of their names."""


def main() -> None:
    """Write the documents."""
    parser = argparse.ArgumentParser(prog="invoices data generate", description=__doc__)
    parser.add_argument("out", type=Path, help="the folder to write to")
    parser.add_argument("--documents", type=int, default=100, help="how many (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="another one gives other documents of the same layouts")
    split = "on which side of training they are (default: %(default)s)"
    parser.add_argument("--split", choices=("train", "validation"), default="train", help=split)
    which = f"names of layout families, or `{EVERY}`: all that nothing was trained on (default: six of these)"
    choices = [EVERY, *sorted(FAMILIES)]
    parser.add_argument("--layouts", nargs="+", choices=choices, default=LAYOUTS, metavar="NAME", help=which)
    arguments = parser.parse_args()
    layouts = HELD_OUT if EVERY in arguments.layouts else arguments.layouts
    write(arguments.out, samples(layouts, arguments.seed, arguments.documents), arguments.split)


def samples(layouts: tuple[str, ...], seed: int, count: int) -> Iterator[Sample]:
    """Clean documents, the layouts in turn; the same ones each time."""
    for number in range(count):
        family = FAMILIES[layouts[number % len(layouts)]]
        yield draw(family, Random(f"own/{seed}/{number}"), Profile.EXTRACTOR, noisy=False)


def write(out: Path, documents: Iterator[Sample], split: str) -> None:
    """Write the documents in the formats of docs/how-to/train-models.md, in place of those that are there."""
    docs, truths = out / "docs" / SET, out / "truth" / SET
    docs.mkdir(parents=True, exist_ok=True)
    truths.mkdir(parents=True, exist_ok=True)
    rows, lines = [], []
    for number, sample in enumerate(documents):
        name = f"{number:04}.pdf"
        truth = truth_of(sample)
        (docs / name).write_bytes(render_pdf(sample.document))
        (truths / f"{name}.json").write_text(json.dumps({"doc_type": "invoice", **truth}, ensure_ascii=False) + "\n")
        rows.append((SET, name, "text-pdf", sample.family))
        lines.append(json.dumps(_labelled(f"{SET}/{name}", sample, truth, split), ensure_ascii=False))
    (out / LABELLED).write_text("\n".join(lines) + "\n")
    with (out / "MANIFEST.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("set", "file", "kind", "group"), *rows])


def _labelled(name: str, sample: Sample, truth: dict[str, Any], split: str) -> dict[str, Any]:
    return {
        "id": name,
        "source": SET,
        "issuer": sample.family,
        "kind": "text-pdf",
        "doc_type": "invoice",
        "split": split,
        "pages": [page_entry(page) for page in sample.document.pages],
        "labels": [list(tags) for tags in sample.tags],
        "values": {key: value for key, value in truth.items() if not key.startswith("_")},
    }


if __name__ == "__main__":
    main()
