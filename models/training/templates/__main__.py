"""`invoices data templates`: write labelled documents in third-party layouts."""

import argparse
import gzip
import json
import logging
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from models.training.templates import recipes  # noqa: F401 (enters all templates)
from models.training.templates.document import document, lacking, usable
from models.training.templates.draw import draw, read
from models.training.templates.facts import Facts
from models.training.templates.find_facts import Found, look
from models.training.templates.find_values import Sheet, sheets_of
from models.training.templates.install import install
from models.training.templates.places import Places
from models.training.templates.registry import TEMPLATES, Template, held_out
from models.training.templates.tags import decide, learn, tags_of

_NAME = "templates.jsonl.gz"
_LOG = logging.getLogger(__name__)


def main() -> None:
    """Install, draw, label and write."""
    parser = argparse.ArgumentParser(prog="invoices data templates", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help=f"the folder to which {_NAME} is written")
    parser.add_argument("--documents", type=int, default=4000, help="how many to draw, over all templates")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--build", type=Path, default=Path("build/templates"), help="where packages and pages are kept")
    parser.add_argument("--only", nargs="*", choices=sorted(TEMPLATES), help="these templates only")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    chosen = [TEMPLATES[name] for name in options.only or sorted(TEMPLATES)]
    install(options.build, chosen)
    share = options.documents / sum(each.share for each in chosen)
    options.out.mkdir(parents=True, exist_ok=True)
    target = options.out / _NAME
    new = target.with_suffix(".new")
    with gzip.open(new, "wt", encoding="utf-8") as file:
        for each in chosen:
            for line in documents(each, options.build, options.seed, max(1, round(share * each.share))):
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
    new.replace(target)


def documents(template: Template, build: Path, seed: int, count: int) -> Iterator[dict[str, Any]]:
    """The documents of a template that are fit for training; logs how many are not, and why."""
    out = build / "drawn" / template.name
    draw(template, build, out, seed, 0, count)
    drawn = [
        (index, kind, template.facts(seed, index)[0], sheets_of(pages))
        for index, kind, pages in read(template, build, out, seed)
        if usable(pages)
    ]
    split = "validation" if template.name in held_out() else "train"
    lost: Counter[str] = Counter()
    kept = 0
    for index, kind, facts, sheets, found in _labelled(template, drawn):
        missing = lacking(template, facts, found)
        if missing is not None:
            lost[missing] += 1
            continue
        kept += 1
        yield document(template, facts, index, kind, sheets, found, tags_of(sheets, found), split)
    _LOG.info("%s: %s of %s; lost %s", template.name, kept, count, dict(lost))
    shutil.rmtree(out, ignore_errors=True)


Drawn = tuple[int, str, Facts, tuple[Sheet, ...]]


def _labelled(template: Template, drawn: Sequence[Drawn]) -> Iterable[tuple[int, str, Facts, tuple[Sheet, ...], Found]]:
    """Two passes: certain values teach where the template puts what, and that decides the rest."""
    places = Places()
    seen = []
    for index, kind, facts, sheets in drawn:
        found = look(sheets, facts, below=template.below)
        learn(places, sheets, found)
        seen.append((index, kind, facts, sheets, found))
    for index, kind, facts, sheets, found in seen:
        decide(places, sheets, found)
        yield index, kind, facts, sheets, found


if __name__ == "__main__":
    main()
