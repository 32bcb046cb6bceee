"""What the bundled models do on this machine's GPU, in each precision: pages a second with preparation, milliseconds of
a page for the network alone and for a page sent alone, memory, and by how much its scores depend on its batch.

Every precision and model has a process of its own; at the end both models run side by side, as replicas on one GPU do.
Usage: python -m benchmarks.gpu [--device cuda] [--documents N] [FOLDER]
"""

import argparse
import multiprocessing
import statistics
import time
from collections.abc import Iterator, Sequence
from multiprocessing.synchronize import Barrier
from pathlib import Path

import numpy as np
import torch

from models.loading import EXTRACTOR, VERIFIER, ModelConfig, Precision, RuntimeKind, load_model
from models.runtime import Inputs, Outputs, Runtime
from models.token_model import TokenClassifier
from serve_app.documents.reader import read_document
from serve_app.domain.document import Document
from serve_app.domain.errors import DocumentError

SAMPLES = Path(__file__).parent.parent / "samples"
CONFIGS = {"extractor": EXTRACTOR, "verifier": VERIFIER}
PRECISIONS = (Precision.FLOAT32, Precision.FLOAT16, Precision.BFLOAT16)
_BATCH = 32
_SECONDS = 10.0
_MOST_ALONE = 100
# Both together have to leave room for what CUDA itself takes.
_SHARE = 0.45
_START_SECONDS = 120


class Recorded:
    """A runtime that keeps what it was given, so that the network can be timed alone."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime, self.calls = runtime, list[Inputs]()
        self.memory = runtime.memory

    def run(self, inputs: Inputs) -> Outputs:
        """As the runtime does."""
        self.calls.append(inputs)
        return self._runtime.run(inputs)


def documents(folder: Path, count: int) -> list[Document]:
    """The readable files of a folder, over and over."""
    found: list[Document] = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        try:
            found.append(read_document(path.read_bytes()))
        except DocumentError:
            continue
    return [found[number % len(found)] for number in range(count)]


def config_of(name: str, device: str, precision: Precision) -> ModelConfig:
    return CONFIGS[name].model_copy(update={"device": device, "precision": precision, "runtime": RuntimeKind.TORCH})


def batches(every: Sequence[Document]) -> Iterator[Sequence[Document]]:
    for start in range(0, len(every), _BATCH):
        yield every[start : start + _BATCH]


def measure(name: str, device: str, precision: Precision, every: Sequence[Document]) -> None:
    """One line of the table."""
    model = load_model(config_of(name, device, precision))
    assert isinstance(model, TokenClassifier)
    model.read(every[:_BATCH])
    pages = sum(len(document.pages) for document in every)
    runtime = model._runtime
    model._runtime = recorded = Recorded(runtime)
    started = time.perf_counter()
    readings = [reading for batch in batches(every) for reading in model.read(batch)]
    whole = time.perf_counter() - started
    model._runtime = runtime
    started = time.perf_counter()
    for inputs in recorded.calls:
        runtime.run(inputs)
    network = time.perf_counter() - started
    alone, differences = [], []
    for document, reading in list(zip(every, readings, strict=True))[:_MOST_ALONE]:
        started = time.perf_counter()
        (again,) = model.read([document])
        alone.append((time.perf_counter() - started) / len(document.pages))
        pairs = zip(reading.pages, again.pages, strict=True)
        differences += [float(np.abs(one.scores - other.scores).max(initial=0)) for one, other in pairs]
    memory = torch.cuda.max_memory_allocated() / 2**20 if torch.cuda.is_available() else 0
    print(
        f"{name:10} {precision:9}{pages / whole:9.0f}{1000 * network / pages:9.2f}"
        f"{1000 * statistics.median(alone):8.1f}{memory:9.0f}{max(differences):10.4f}",
        flush=True,
    )


def together(name: str, device: str, every: Sequence[Document], barrier: Barrier) -> None:
    """Pages a second while the other model does the same on the same GPU."""
    model = load_model(config_of(name, device, Precision.AUTO), gpu_share=_SHARE)
    model.read(every[:_BATCH])
    barrier.wait()
    started, pages = time.perf_counter(), 0
    while time.perf_counter() - started < _SECONDS:
        for batch in batches(every):
            model.read(batch)
            pages += sum(len(document.pages) for document in batch)
    print(f"{name:10} side by side{pages / (time.perf_counter() - started):9.0f} pages a second", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=SAMPLES, help="documents (default: the samples)")
    parser.add_argument("--device", default="cuda", help="cuda, cuda:1, or cpu to try this program (default: cuda)")
    parser.add_argument("--documents", type=int, default=256, help="how many are read (default: %(default)s)")
    arguments = parser.parse_args()
    every = documents(arguments.folder, arguments.documents)
    # CUDA cannot be used in a process that was forked.
    context = multiprocessing.get_context("spawn")
    print(f"{'':20}{'pages/s':>9}{'network':>9}{'alone':>8}{'MiB':>9}{'differs':>10}   (network, alone: ms a page)")
    # CPUs have no fast arithmetic for half of the bits.
    for precision in PRECISIONS[:1] if arguments.device == "cpu" else PRECISIONS:
        for name in CONFIGS:
            work = context.Process(target=measure, args=(name, arguments.device, precision, every))
            work.start()
            work.join()
    barrier = context.Barrier(len(CONFIGS), timeout=_START_SECONDS)
    both = [context.Process(target=together, args=(name, arguments.device, every, barrier)) for name in CONFIGS]
    for process in both:
        process.start()
    for process in both:
        process.join()


if __name__ == "__main__":
    main()
