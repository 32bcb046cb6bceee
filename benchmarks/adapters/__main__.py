"""`python -m benchmarks.adapters`: train, calibrate and serve a small model of every kind, and print a table.

Each kind starts from random weights and learns from a few generated documents: enough to see that everything fits
together, far too little for a good model. Times are those of one core, whatever else the machine does; how much that
was is told as its load, over the last minute of each kind.
"""

import argparse
import json
import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

# Before anything loads torch.
os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")

from benchmarks.adapters import chat, steps
from benchmarks.adapters.small import KINDS
from benchmarks.adapters.table import table
from models.training.own_documents import LAYOUTS, samples, write

CHAT = "LLaVA behind a server"
NAMES = (*KINDS, CHAT)
_LABELLED = 8


def main() -> None:
    """Measure every kind, or those that are named; figures of earlier calls stay in the table."""
    arguments = _arguments()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name in arguments.kinds or NAMES:
        with TemporaryDirectory() as folder:
            row = {"kind": name, **_measured(name, Path(folder), arguments.documents), "load": os.getloadavg()[0]}
        (arguments.out / f"{NAMES.index(name):02}.json").write_text(json.dumps(row, indent=1) + "\n")
        print(json.dumps(row), flush=True)
    print(table([json.loads(path.read_text()) for path in sorted(arguments.out.glob("*.json"))]))


def _measured(name: str, folder: Path, documents: int) -> dict[str, Any]:
    """All steps of a kind. A step that fails ends them, and says why."""
    if name == CHAT:
        todo: dict[str, Callable[[], steps.Row]] = {"chat": lambda: chat.measure(folder)}
    else:
        write(folder / "labelled", samples(LAYOUTS, 0, _LABELLED), "validation")
        todo = {
            "train": lambda: steps.train(name, folder, documents),
            "calibrate": lambda: steps.calibrate(folder, folder / "labelled"),
            "serve": lambda: steps.serve_tuned(folder),
        }
    row: dict[str, Any] = {}
    for step, work in todo.items():
        try:
            row[step] = _in_a_process(work)
        except Exception as error:
            return {**row, "failed": f"{step}: {error}"}
    return row


def _in_a_process(work: Callable[[], steps.Row]) -> steps.Row:
    """Its own, so that the memory is that of this step; forked, because loading the libraries takes long."""
    global _work
    _work = work
    with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as pool:
        return pool.submit(_do).result()


def _do() -> steps.Row:
    return _work()


_work: Callable[[], steps.Row] = dict


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.adapters", description=__doc__)
    parser.add_argument("kinds", nargs="*", choices=[*NAMES, []], help="some kinds only")
    parser.add_argument("--documents", type=int, default=200, help="to train on (default: %(default)s)")
    parser.add_argument("--out", type=Path, default=Path("build/adapters"), help="where figures are kept")
    return parser.parse_args()


if __name__ == "__main__":
    main()
