"""CPU of making invoices of documents that both models have read, and what the time limit does to a very long one.

Usage: benchmarks/extract.py [--seconds 120] [--words 400000] FILE ...
"""

import argparse
import asyncio
import sys
import time
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np

from models.pipeline import Pipeline
from serve_app.documents.packing import pack
from serve_app.documents.reader import read_document
from serve_app.domain.document import Box, Document, Page, Word
from serve_app.domain.errors import DocumentError
from serve_app.domain.labels import TAGS
from serve_app.domain.packed import LabelledPages
from serve_app.domain.reading import PageReading, Reading
from serve_app.reconciling.calibrations import load_calibrations
from serve_app.reconciling.isolated import IsolatedReconciler
from serve_app.reconciling.reconcile import reconcile

SAMPLES = Path(__file__).parent.parent / "samples"


def cost(files: list[Path]) -> None:
    """Milliseconds of CPU a page, of each file that no other before it has warmed up."""
    pipeline, calibrations = Pipeline(), load_calibrations()
    spent, pages = 0.0, 0
    for file in files:
        document = read_document(file.read_bytes())
        extractor, verifier = pipeline.read_models(document)
        labelled = LabelledPages(pack(document), (extractor,), (verifier,))
        started = time.process_time()
        reconcile(labelled, calibrations)
        spent += time.process_time() - started
        pages += len(document.pages)
    print(f"reconciling {len(files)} files of {pages} pages: {1000 * spent / pages:.1f} ms of CPU a page", flush=True)


def long_document(words: int, pages: int = 200) -> LabelledPages:
    """Pages full of numbers, each with every label a little."""
    each = words // pages
    random = np.random.default_rng(1)
    row = [
        Word(f"{n % 997}.{n % 100:02d}", Box(x, y * 20 / each, x + 0.04, (y + 0.8) * 20 / each))
        for n in range(each)
        for x, y in [(n % 20 / 20, n // 20)]
    ]
    page = Page(1, 595.0, 842.0, tuple(row))
    document = Document(tuple(replace(page, number=number) for number in range(1, pages + 1)))
    scores = random.random((each, len(TAGS)), dtype=np.float32)
    reading = Reading("bench", TAGS, (PageReading(scores / scores.sum(axis=1, keepdims=True)),) * pages)
    return LabelledPages(pack(document), (reading,), (reading,))


async def against_limit(words: int, seconds: float) -> None:
    """What becomes of a document that is too long."""
    reconciler = IsolatedReconciler(load_calibrations(), seconds)
    labelled = long_document(words)
    started = time.monotonic()
    try:
        await reconciler.reconcile(labelled)
        outcome = "finished"
    except DocumentError as error:
        outcome = f"{error.code}: {error.message}"
    print(
        f"{labelled.words} words, limit {seconds:g} s: after {time.monotonic() - started:.1f} s {outcome}", flush=True
    )
    reconciler.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--words", type=int, default=400_000)
    parser.add_argument("files", nargs="*", type=Path)
    arguments = parser.parse_args()
    asyncio.run(against_limit(arguments.words, arguments.seconds))
    cost(arguments.files or sorted(SAMPLES.glob("*.pdf")))


if __name__ == "__main__":
    main()
