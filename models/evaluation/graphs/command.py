"""`invoices models export`: a checkpoint for ONNX Runtime and OpenVINO, compared with the network in torch."""

import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import numpy as np

from models.adapters.exported import exported_classifier
from models.checkpoint import find_checkpoint
from models.chosen import chosen_model
from models.config import EXTRACTOR, VERIFIER, Adapter, ModelConfig, ModelError, Precision, RuntimeKind
from models.evaluation.console import figures_console
from models.evaluation.graphs.write import network_of, write_checkpoint
from models.evaluation.grid import Grid
from models.evaluation.unlabelled import document_files
from models.label_map import Scores
from models.loading import load_model
from models.network import open_checkpoint
from models.onnx_export import TOLERANCE
from models.runtime_torch import TorchRuntime
from models.token_model import TokenModel
from models.trial_pages import full_page
from serve_app.documents.isolation.supervisor import Supervisor
from serve_app.documents.pictures import draw_page
from serve_app.domain.document import Document
from serve_app.domain.errors import DocumentError
from serve_app.domain.reading import Reading
from serve_app.settings.reading import read_settings

LEAST_SAME = 0.98
"""Share of words whose likeliest tag int8 must not change."""
_TIMES = 3
_RUNTIMES = (RuntimeKind.ONNX, RuntimeKind.OPENVINO)


@dataclass(frozen=True, slots=True)
class Options:
    """What to export, and where to; `invoices models export --help` explains each."""

    model: str
    place: str
    out: Path
    int8: Path | None = None
    count: int = 50


@dataclass(frozen=True, slots=True)
class Compared:
    """A runtime: seconds a page, the largest difference of a probability from torch's, and the share of words whose
    likeliest tag is the same."""

    runtime: str
    seconds: float
    difference: float
    same: float


def export(options: Options) -> None:
    """Write the checkpoint, compare it in each runtime, and print the figures. Raises ModelError if it answers
    otherwise; then nothing is left behind."""
    config = _exact(chosen_model(options.model, EXTRACTOR if options.place == "extractor" else VERIFIER))
    if options.out.exists():
        raise ModelError(f"{options.out} already exists: export into a new folder")
    read = list(_read(options.int8, options.count)) if options.int8 else []
    if options.int8 and not read:
        raise ModelError(f"{options.int8} has no document to calibrate with")
    try:
        found = export_checkpoint(config, options.out, read)
    except BaseException:
        shutil.rmtree(options.out, ignore_errors=True)
        raise
    console = figures_console()
    console.print(_grid(found).rich())
    console.print(f"written: {options.out}")


def export_checkpoint(config: ModelConfig, out: Path, pages: Sequence[Document]) -> list[Compared]:
    """The same, by configuration: in int8 if there are pages, the first half of which calibrates and the others
    compare."""
    checkpoint = open_checkpoint(find_checkpoint(config))
    network = network_of(checkpoint, config)
    half = -(-len(pages) // 2)
    write_checkpoint(checkpoint, config, network, out, pages[:half])
    shown = pages[half:] or pages or [Document((full_page(),))]
    torch = exported_classifier(checkpoint, config, TorchRuntime(network))
    here = config.model_copy(update={"checkpoint": str(out.absolute()), "revision": None})
    others = {str(kind): load_model(here.model_copy(update={"runtime": kind})) for kind in _RUNTIMES}
    found = list(_compare({"torch": torch, **others}, shown))
    _check(found, is_int8=bool(pages))
    return found


def _exact(config: ModelConfig) -> ModelConfig:
    if config.adapter not in (Adapter.LAYOUT_TOKENS, Adapter.TEXT_TOKENS):
        raise ModelError(f"only token classifiers can be exported (layout_tokens, text_tokens), not {config.adapter}")
    return config.model_copy(
        update={"device": "cpu", "precision": Precision.FLOAT32, "runtime": RuntimeKind.AUTO, "gate": None}
    )


def _check(found: Sequence[Compared], *, is_int8: bool) -> None:
    for each in found:
        if is_int8 and each.same < LEAST_SAME:
            lost = f"{1 - each.same:.1%} of the words another tag, more than {1 - LEAST_SAME:.0%}"
            raise ModelError(f"in int8, {each.runtime} gives {lost}")
        if not is_int8 and not each.difference <= TOLERANCE:
            raise ModelError(f"the outputs in {each.runtime} differ by {each.difference:.4f} from those in torch")


def _compare(models: dict[str, TokenModel], documents: Sequence[Document]) -> Iterator[Compared]:
    """Each runtime against the first one."""
    expected = None
    for name, model in models.items():
        scores, seconds = _read_by(model.read, documents)
        expected = scores if expected is None else expected
        same = float((scores.argmax(1) == expected.argmax(1)).mean())
        yield Compared(name, seconds, float(np.abs(scores - expected).max()), same)


def _read_by(
    read: Callable[[Sequence[Document]], Sequence[Reading]], documents: Sequence[Document]
) -> tuple[Scores, float]:
    """The scores of all words, and the least seconds a page of some readings: the machine does other things, too."""
    least, pages = float("inf"), sum(len(document.pages) for document in documents)
    for _ in range(_TIMES):
        started = time.perf_counter()
        readings = [read([document])[0] for document in documents]
        least = min(least, (time.perf_counter() - started) / pages)
    return np.concatenate([page.scores for reading in readings for page in reading.pages]), least


def _read(folder: Path, count: int) -> Iterator[Document]:
    """The first documents that can be read, with pictures: some models look at pages."""
    options = read_settings().read_options()
    with closing(Supervisor(options)) as reader:
        yield from islice(_readable(reader, document_files(folder)), count)


def _readable(reader: Supervisor, files: Sequence[Path]) -> Iterator[Document]:
    options = read_settings().read_options()
    for file in files:
        data = file.read_bytes()
        try:
            document = reader.read_next(data)
            pages = tuple(replace(page, picture=draw_page(data, page, options)) for page in document.pages)
        except DocumentError:
            continue
        if document.has_text:
            yield Document(pages)


def _grid(found: Sequence[Compared]) -> Grid:
    first = found[0].seconds
    columns = ["runtime", "ms a page", "times as fast", "largest difference", "same tags"]
    return Grid("Exported model", columns, [_row(each, first) for each in found])


def _row(each: Compared, first: float) -> list[str]:
    times = f"{first / each.seconds:.1f}"
    return [each.runtime, f"{1000 * each.seconds:.0f}", times, f"{each.difference:.1g}", f"{each.same:.2%}"]
