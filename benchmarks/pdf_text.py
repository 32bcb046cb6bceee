"""Compare libraries that read PDF text layers: which true values are among their words, how fast, how exact the boxes.

Usage: benchmarks/pdf_text.py DATA

DATA holds docs/<set>/<file>.pdf and truth/<set>/<file>.pdf.json. Files that need OCR are left out. Libraries that are
not installed are left out, too: pdfplumber (it brings pdfminer.six), pypdf, and poppler's pdftotext.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

from models.evaluation.presence import stands
from serve_app.documents.limits import Limits
from serve_app.documents.pdf.ink import ink_of
from serve_app.documents.pdf.layer_assessment import Verdict
from serve_app.documents.pdf.pdfium import opened
from serve_app.documents.pdf.text_layer import read_layers, read_text_layer
from serve_app.domain.document import Box, Word
from serve_app.domain.errors import DocumentError
from serve_app.domain.reading_order import group_lines

Pages = list[list[Word]]
FIELDS = ("amount", "tax", "issued_at", "due_at", "invoice_number", "vendor_name")


def read_here(path: Path) -> Pages:
    return [list(page.words) for page in read_text_layer(path.read_bytes(), Limits())]


def read_pdfplumber(path: Path) -> Pages:
    import pdfplumber

    pages = []
    with pdfplumber.open(path) as file:
        for page in file.pages:
            left, top, right, bottom = page.bbox
            width, height = right - left, bottom - top
            words = page.extract_words()
            pages.append(
                [
                    Word(
                        word["text"],
                        Box(
                            (word["x0"] - left) / width,
                            (word["top"] - top) / height,
                            (word["x1"] - left) / width,
                            (word["bottom"] - top) / height,
                        ),
                    )
                    for word in words
                ]
            )
    return pages


def read_pdfminer(path: Path) -> Pages:
    from pdfminer.high_level import extract_pages
    from pdfminer.layout import LAParams

    return [list(_pdfminer_words(page, page)) for page in extract_pages(path, laparams=LAParams(all_texts=True))]


def _pdfminer_words(parent: Any, page: Any) -> Iterator[Word]:
    from pdfminer.layout import LTContainer, LTTextLine

    for line in parent:
        if isinstance(line, LTContainer) and not isinstance(line, LTTextLine):
            yield from _pdfminer_words(line, page)
        elif isinstance(line, LTTextLine):
            for blank, characters in groupby(line, key=lambda character: not character.get_text().strip()):
                if not blank:
                    yield _pdfminer_word(list(characters), page)


def _pdfminer_word(characters: list[Any], page: Any) -> Word:
    x0, y0 = (min(getattr(character, side) for character in characters) for side in ("x0", "y0"))
    x1, y1 = (max(getattr(character, side) for character in characters) for side in ("x1", "y1"))
    box = Box(x0 / page.width, 1 - y1 / page.height, x1 / page.width, 1 - y0 / page.height)
    return Word("".join(character.get_text() for character in characters), box)


def read_pdftotext(path: Path) -> Pages:
    run = subprocess.run(["pdftotext", "-bbox", str(path), "-"], capture_output=True, check=True)  # noqa: S603, S607
    text = re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f]", "", run.stdout.decode("utf-8", "replace"))
    root = ElementTree.fromstring(text)  # noqa: S314
    space = "{http://www.w3.org/1999/xhtml}"
    pages = []
    for page in root.iter(f"{space}page"):
        width, height = float(page.get("width", 1)), float(page.get("height", 1))
        sizes = {"xMin": width, "yMin": height, "xMax": width, "yMax": height}
        words = [(box.text or "", [float(box.get(key, 0)) / size for key, size in sizes.items()]) for box in page]
        pages.append([Word(text, Box(*box)) for text, box in words if text.strip()])
    return pages


def read_pypdf(path: Path) -> Pages:
    """pypdf gives lines of text without boxes: each line gets a row of its own."""
    from pypdf import PdfReader

    pages = []
    for page in PdfReader(path).pages:
        lines = page.extract_text().splitlines()
        rows = [
            (word, row / len(lines), at / 100) for row, line in enumerate(lines) for at, word in enumerate(line.split())
        ]
        pages.append([Word(word, Box(x, y, x + 0.005, y + 0.5 / len(lines))) for word, y, x in rows])
    return pages


LIBRARIES: dict[str, tuple[Callable[[Path], Pages], str, bool]] = {
    "pypdfium2, as read here": (read_here, "BSD-3-Clause, Apache-2.0", True),
    "pdfplumber": (read_pdfplumber, "MIT", True),
    "pdfminer.six": (read_pdfminer, "MIT", True),
    "pdftotext -bbox": (read_pdftotext, "GPL, a program of its own", True),
    "pypdf": (read_pypdf, "BSD-3-Clause", False),
}


def is_there(name: str) -> bool:
    module = name.split(",")[0].split()[0].removesuffix(".six")
    return shutil.which("pdftotext") is not None if module == "pdftotext" else find_spec(module) is not None


@dataclass
class Score:
    """Counts of one library over all files."""

    found: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    pages: int = 0
    failed: int = 0
    words: int = 0
    inked: int = 0
    explained: list[float] = field(default_factory=list)


def lines_of(words: list[Word]) -> list[str]:
    return [" ".join(words[index].text for index in line) for line in group_lines([word.box for word in words])]


def truths(data: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Every file whose text layer can be read, with its true values."""
    for path in sorted(data.glob("truth/*/*.json")):
        file = data / "docs" / path.parent.name / path.stem
        truth = json.loads(path.read_text())
        if file.suffix.lower() != ".pdf" or not isinstance(truth, dict) or not file.exists():
            continue
        try:
            layers = read_layers(file.read_bytes(), Limits())
        except DocumentError:
            continue
        if all(layer.assessment.verdict is not Verdict.OCR for layer in layers) and truth.get("amount") is not None:
            yield file, truth


def measure(name: str, file: Path, truth: dict[str, Any], score: Score) -> None:
    read, _, has_boxes = LIBRARIES[name]
    started = processor_seconds()
    try:
        pages = read(file)
    except Exception as error:
        print(f"{name}: {file.name}: {error!r}")
        score.failed += 1
        return
    score.seconds += processor_seconds() - started
    score.pages += len(pages)
    hidden = set(truth.get("_not_printed", []))
    lines = [line for words in pages for line in lines_of(words)]
    for key in FIELDS:
        if truth.get(key) is not None and key not in hidden:
            accepted = [truth[key], *(truth.get("_vendor_alt", []) if key == "vendor_name" else [])]
            score.found[key] += any(stands(key, value, lines) for value in accepted)
            score.found[f"all {key}"] += 1
    if has_boxes:
        measure_boxes(file, pages, score)


def processor_seconds() -> float:
    """Of this process and of programs that it called."""
    return sum(os.times()[:4])


def measure_boxes(file: Path, pages: Pages, score: Score) -> None:
    """How many words lie on ink, and how much of the ink that looks like print lies under words."""
    with opened(file.read_bytes()) as pdf:
        for index, words in enumerate(pages):
            ink = ink_of(pdf[index])
            boxes = np.array([(w.box.x0, w.box.y0, w.box.x1, w.box.y1) for w in words]).reshape(-1, 4).clip(0, 1)
            score.words += len(words)
            score.inked += int(ink.below(boxes).sum())
            score.explained.append(1 - ink.unexplained(boxes)[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, metavar="DATA")
    data = parser.parse_args().data
    scores = {name: Score() for name in LIBRARIES if is_there(name)}
    files = list(truths(data))
    for file, truth in files:
        for name, score in scores.items():
            measure(name, file, truth, score)
    report(scores, len(files))


def report(scores: dict[str, Score], files: int) -> None:
    print(f"{files} files\n")
    print("| Library | " + " | ".join(FIELDS) + " | ms a page | words on ink | ink under words | failed | licence |")
    print("|---" * (len(FIELDS) + 6) + "|")
    for name, score in scores.items():
        shares = [f"{score.found[key]} of {score.found[f'all {key}']}" for key in FIELDS]
        inked = f"{score.inked / score.words:.1%}" if score.words else "no boxes"
        under = f"{np.mean(score.explained):.1%}" if score.explained else "no boxes"
        speed = f"{1000 * score.seconds / max(1, score.pages):.1f}"
        cells = [name, *shares, speed, inked, under, str(score.failed), LIBRARIES[name][1]]
        print(f"| {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
