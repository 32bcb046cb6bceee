"""Measure the OCR: the share of an invoice's true values whose printed form stands in the words read.

Usage: benchmarks/ocr.py [--engine NAME ...] [--dpi N] [--misses] DATA_FOLDER

DATA_FOLDER holds `MANIFEST.csv` (columns set, file, kind), `docs/SET/FILE` and `truth/SET/FILE.json`; the kinds `scan`
and `photo` are read. One thread; seconds are processor time of reading alone, after the engine was loaded.
"""

import argparse
import csv
import dataclasses
import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from pdf2image import convert_from_path

from models.evaluation.presence import lines_of, stands
from serve_app.documents.images.decode import decode
from serve_app.documents.ocr.engines import check_engine
from serve_app.documents.ocr.page import read_page
from serve_app.documents.options import OcrOptions, ReadOptions
from serve_app.documents.sniff import sniff

FIELDS = ("amount", "tax", "unit_price", "issued_at", "due_at", "invoice_number", "vendor_name")
_POINTS = 72


def pictures(file: Path, dpi: int) -> Iterator[np.ndarray[Any, Any]]:
    if file.suffix.lower() == ".pdf":
        yield from (np.asarray(page.convert("RGB")) for page in convert_from_path(file, dpi=dpi))
    else:
        yield decode(file.read_bytes(), 100_000_000)


def true_values(truth: dict[str, Any]) -> Iterator[tuple[str, list[Any]]]:
    """Field and accepted values of every value that is printed."""
    hidden = truth.get("_not_printed", [])
    alternatives = {"vendor_name": "_vendor_alt", "invoice_number": "_number_alt", "amount": "_amount_alt"}
    for name in FIELDS:
        if truth.get(name) is not None and name not in hidden:
            yield name, [truth[name], *truth.get(alternatives.get(name, ""), [])]
    for item in truth.get("line_items") or []:
        if item.get("unit_price") is not None:
            yield "unit_price", [item["unit_price"]]


def measure(folder: Path, engine: str, dpi: int, shows_misses: bool) -> None:
    options = ReadOptions(ocr=dataclasses.replace(OcrOptions(), engine=engine))
    check_engine(options.ocr)
    right: dict[str, Counter[str]] = defaultdict(Counter)
    seconds: list[float] = []
    for row in csv.DictReader((folder / "MANIFEST.csv").open()):
        if row["kind"] not in ("scan", "photo"):
            continue
        name = f"{row['set']}/{row['file']}"
        lines: list[str] = []
        if sniff((folder / "docs" / name).read_bytes()) is None:
            print(f"  {name} left out: of no type that the service reads")
            continue
        for picture in pictures(folder / "docs" / name, dpi):
            started = time.process_time()
            page = read_page(picture, 1, picture.shape[1] * _POINTS / dpi, picture.shape[0] * _POINTS / dpi, options)
            seconds.append(time.process_time() - started)
            lines += lines_of(page)
        truth = json.loads((folder / "truth" / f"{name}.json").read_text())
        for document in truth.get("documents", [truth]):
            for field, values in true_values(document):
                kind = "amount" if field == "unit_price" else field
                is_right = any(stands(kind, value, lines) for value in values)
                right[row["kind"]][field] += is_right
                right[row["kind"]][f"{field} of"] += 1
                if shows_misses and not is_right:
                    print(f"  {name} {field} {values[:1]}")
    report(engine, right, seconds)


def report(engine: str, right: dict[str, Counter[str]], seconds: list[float]) -> None:
    times = f"median {np.median(seconds):.1f} s, mean {np.mean(seconds):.1f} s, slowest {max(seconds):.1f} s"
    print(f"{engine}: {len(seconds)} pages, {times}")
    for kind, counts in right.items():
        print(f"  {kind}: " + ", ".join(f"{name} {counts[name]}/{counts[f'{name} of']}" for name in FIELDS))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DATA_FOLDER")
    parser.add_argument("--engine", nargs="+", default=["tesseract", "rapidocr"])
    parser.add_argument("--dpi", type=int, default=200, help="of scanned PDFs")
    parser.add_argument("--misses", action="store_true", help="name every value that was not found")
    arguments = parser.parse_args()
    for engine in arguments.engine:
        measure(arguments.folder, engine, arguments.dpi, arguments.misses)


if __name__ == "__main__":
    main()
