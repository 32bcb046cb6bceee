"""CPU of a page, and right fields, beside what people would use instead: RapidOCR for words, invoice2data for fields.

The others live in an environment of their own, because the service does not need them:
    python -m venv others && others/bin/pip install rapidocr onnxruntime invoice2data pypdfium2
Each document is read by one after the other, each in one thread of a process of its own on the same core.
Usage: python -m benchmarks.others DATA --python others/bin/python [--documents N]
DATA holds `MANIFEST.csv` (columns set, file, kind), `docs/` and `truth/`; PDFs with text and scanned PDFs are taken.
"""

import argparse
import csv
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

FIELDS = ("invoice_number", "issued_at", "amount")
"""What the templates of invoice2data must give."""
DPI = 200
"""Of the pictures that RapidOCR reads; drawing them does not count."""
Read = Callable[[str], dict[str, Any]]


def rapidocr() -> Read:
    """The words of the pages, by the package's own pipeline with its own models."""
    import numpy as np
    import pypdfium2 as pdfium

    engine = import_module("rapidocr").RapidOCR(
        params={"EngineConfig.onnxruntime.intra_op_num_threads": 1, "Global.log_level": "error"}
    )

    def read(path: str) -> dict[str, Any]:
        with pdfium.PdfDocument(path) as file:
            pages = [np.asarray(page.render(scale=DPI / 72).to_pil().convert("RGB")) for page in file]
        seconds = _spent()
        words = sum(len(engine(page).txts or ()) for page in pages)
        return {"seconds": _spent() - seconds, "pages": len(pages), "words": words}

    return read


def invoice2data() -> Read:
    """The fields, by the package's own templates."""
    extract_data = import_module("invoice2data").extract_data
    templates = import_module("invoice2data.extract.loader").read_templates()

    def read(path: str) -> dict[str, Any]:
        seconds = _spent()
        found = extract_data(path, templates=templates) or {}
        date = found.get("date")
        values = (found.get("invoice_number"), date and date.date().isoformat(), found.get("amount"))
        return {"seconds": _spent() - seconds, "fields": dict(zip(FIELDS, map(_text, values), strict=True))}

    return read


def words() -> Read:
    """The words of the pages, by the service's reader."""
    from serve_app.documents.reader import read_document
    from serve_app.settings import Settings

    options = Settings().read_options()

    def read(path: str) -> dict[str, Any]:
        data, seconds = Path(path).read_bytes(), _spent()
        document = read_document(data, options)
        return {"seconds": _spent() - seconds, "pages": len(document.pages)}

    return read


def invoices() -> Read:
    """Everything that the service extracts, in a bare loop."""
    from models.pipeline import Pipeline

    pipeline = Pipeline()

    def read(path: str) -> dict[str, Any]:
        data, seconds = Path(path).read_bytes(), _spent()
        extraction = pipeline.extract(data)[0].extraction
        fields = {name: _text(getattr(extraction, name)) for name in FIELDS}
        return {"seconds": _spent() - seconds, "fields": fields}

    return read


READERS = {each.__name__: each for each in (words, invoices, rapidocr, invoice2data)}
TAKEN = {"scan": ("words", "invoices", "rapidocr"), "text-pdf": ("words", "invoices", "invoice2data")}
"""By kind of document, who reads it."""


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _spent() -> float:
    """Seconds of CPU of this process and the programs that it has called."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def serve(name: str) -> None:
    """Read the paths in standard input, one a line."""
    out = os.fdopen(os.dup(1), "w")
    # What the packages print must not get between the answers.
    os.dup2(2, 1)
    read = READERS[name]()
    for line in sys.stdin:
        try:
            answer = read(line.strip())
        except Exception as error:
            answer = {"error": repr(error)}
        print(json.dumps(answer), file=out, flush=True)


class Reader:
    """One of them in a process of its own."""

    def __init__(self, name: str, python: str) -> None:
        command = ["taskset", "-c", "0", python, "-P", __file__, "--serve", name]
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(Path(__file__).parents[1])}
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.answers: list[tuple[Path, dict[str, Any]]] = []

    def read(self, document: Path, truth: Path) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(document, file=self._process.stdin, flush=True)
        self.answers.append((truth, json.loads(self._process.stdout.readline())))

    def close(self) -> None:
        self._process.kill()
        self._process.wait()


def main() -> int:
    arguments = _parser().parse_args()
    if arguments.serve:
        serve(arguments.serve)
        return 0
    print(f"load before the run {os.getloadavg()[0]:.1f}\n")
    print("| documents | | CPU of a page | fields right |\n|---|---|---|---|")
    for kind in TAKEN:
        rows = [row for row in csv.DictReader((arguments.data / "MANIFEST.csv").open()) if row["kind"] == kind]
        Random(arguments.seed).shuffle(rows)  # noqa: S311 - an order, no secret
        if rows:
            print(*_compared(kind, rows[: arguments.documents], arguments), sep="\n", flush=True)
    return 0


def _compared(kind: str, rows: list[dict[str, str]], arguments: argparse.Namespace) -> Iterator[str]:
    readers = {name: Reader(name, _python(name, arguments.python)) for name in TAKEN[kind]}
    names = [f"{row['set']}/{row['file']}" for row in rows]
    try:
        # The first one warms up, and does not count.
        for name in (names[0], *names):
            for reader in readers.values():
                reader.read(arguments.data / "docs" / name, arguments.data / "truth" / f"{name}.json")
    finally:
        for reader in readers.values():
            reader.close()
    pages = sum(answer.get("pages", 1) for _, answer in readers["words"].answers[1:])
    for name, reader in readers.items():
        yield _row(f"{len(names)} {kind}, {pages} pages", name, reader.answers[1:], pages)


def _python(name: str, others: str) -> str:
    return others if name in {rapidocr.__name__, invoice2data.__name__} else sys.executable


def _row(documents: str, name: str, answers: list[tuple[Path, dict[str, Any]]], pages: int) -> str:
    seconds = sum(answer.get("seconds", 0.0) for _, answer in answers)
    fields = [(truth, answer["fields"]) for truth, answer in answers if "fields" in answer]
    failed = sum("error" in answer for _, answer in answers)
    right = sum(count_right(json.loads(truth.read_text()), found) for truth, found in fields)
    given = sum(value is not None for _, found in fields for value in found.values())
    share = f"{right} of {given} given, {len(FIELDS) * len(answers)} asked" if fields else "-"
    return (
        f"| {documents} | {name}{f' ({failed} failed)' if failed else ''} | {1000 * seconds / pages:.0f} ms | {share} |"
    )


def count_right(truth: dict[str, Any], found: dict[str, str | None]) -> int:
    """How many fields are right. Of several documents in a file, the first one counts."""
    truth = truth.get("documents", [truth])[0]
    return sum(found[name] is not None and is_same(truth.get(name), found[name]) for name in FIELDS)


def is_same(true: object, found: str | None) -> bool:
    if isinstance(true, int | float):
        return found is not None and abs(float(found) - true) < 0.005
    return true == found


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.others", description=__doc__)
    parser.add_argument("data", type=Path, nargs="?", metavar="DATA")
    parser.add_argument("--python", default=sys.executable, help="of the environment with the other packages")
    parser.add_argument("--documents", type=int, default=30, help="of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--serve", choices=READERS, help=argparse.SUPPRESS)
    return parser


if __name__ == "__main__":
    sys.exit(main())
