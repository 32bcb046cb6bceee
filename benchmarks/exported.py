"""`python -m benchmarks.exported`: token classifiers of the published size in each runtime, as `invoices models export`
writes them: CPU time a page, tags that stay the same, size and time of the export.

Weights are random and made on the spot. One thread; a page is read by each in turn, so that all have the same machine.
"""

import argparse
import json
import os
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

# Before anything loads torch.
os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")

import numpy as np
import torch

from benchmarks.adapters.blank import Kind, Scale, kinds, write_blank
from benchmarks.adapters.words import byte_pairs, unigrams, word_pieces
from models.config import ModelConfig, ModelError, Precision, RuntimeKind
from models.evaluation.graphs.command import export_checkpoint
from models.loading import load_untested
from models.token_model import Scores, TokenModel
from models.training.drawn import with_drawings
from models.training.generator import generate_validation
from serve_app.domain.document import Document
from serve_app.domain.labels import TAGS

_BASE = {"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 3072}


def _base(positions: int) -> dict[str, Kind]:
    """Each kind at base size, with so many positions."""
    sizes = {**_BASE, "max_position_embeddings": positions}
    return kinds(
        Scale(
            sizes=sizes,
            classes=TAGS,
            word_pieces=word_pieces,
            byte_pairs=byte_pairs,
            unigrams=unigrams,
            pixels=224,
            patch=16,
            swin={"image_size": [320, 240]},
        )
    )


KINDS: dict[str, Kind] = {
    "LayoutLMv3": _base(514)["layoutlmv3 with pictures"],
    "LiLT": _base(514)["lilt"],
    "BERT": _base(512)["bert"],
}
_MOST_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Row:
    """A kind in a runtime: CPU milliseconds a page (the least and the middle one of all), how many words have the tag
    that torch gives them, the largest difference of a probability, MB of its weights, and CPU minutes of the export."""

    kind: str
    runtime: str
    least: float
    middle: float
    same: float
    difference: float
    size: float
    minutes: float | None


def measure(name: str, folder: Path, pages: int) -> list[Row]:
    """Write, export and read."""
    kind = KINDS[name]
    config = ModelConfig(
        adapter=kind.adapter, checkpoint=str(write_blank(kind, folder / "torch")), precision=Precision.FLOAT32
    )
    documents = [with_drawings(generate_validation(seed).document.section(1, 1)) for seed in range(2 * pages)]
    minutes = {
        "float32": _exported(config, folder / "float32", []),
        "int8": _exported(config, folder / "int8", documents),
    }
    models: dict[str, tuple[TokenModel, str]] = {
        "torch": (_model(config, folder / "torch", RuntimeKind.TORCH), "torch")
    }
    for form in ("float32", "int8"):
        for runtime in (RuntimeKind.ONNX, RuntimeKind.OPENVINO):
            models[f"{runtime} {form}"] = (_model(config, folder / form, runtime), form)
    found = _read(documents[pages:], {label: model for label, (model, _) in models.items()})
    expected = found["torch"][1]
    return [
        Row(
            name,
            label,
            min(times),
            median(times),
            float((scores.argmax(1) == expected.argmax(1)).mean()),
            float(np.abs(scores - expected).max()),
            _size(folder / models[label][1]),
            minutes.get(models[label][1]),
        )
        for label, (times, scores) in found.items()
    ]


def _model(config: ModelConfig, folder: Path, runtime: RuntimeKind) -> TokenModel:
    return load_untested(config.model_copy(update={"checkpoint": str(folder), "runtime": runtime}))


def _exported(config: ModelConfig, out: Path, documents: Sequence[Document]) -> float:
    """The CPU minutes of an export, with its comparison. In int8, random weights need not pass it."""
    began = time.process_time()
    try:
        export_checkpoint(config, out, documents)
    except ModelError as error:
        print(f"refused: {error}", flush=True)
    return (time.process_time() - began) / 60


def _read(documents: Sequence[Document], models: dict[str, TokenModel]) -> dict[str, tuple[list[float], Scores]]:
    """CPU milliseconds a page of each model, and the scores of all words."""
    times: dict[str, list[float]] = {label: [] for label in models}
    scores: dict[str, list[Scores]] = {label: [] for label in models}
    for turn in range(_MOST_ROUNDS + 1):
        for document in documents:
            for label, model in models.items():
                began = time.process_time()
                (reading,) = model.read([document])
                spent = time.process_time() - began
                # The first time, memory is claimed and plans are made.
                if turn == 0:
                    scores[label] += [page.scores for page in reading.pages]
                else:
                    times[label].append(1000 * spent)
    return {label: (times[label], np.concatenate(scores[label])) for label in models}


def _size(folder: Path) -> float:
    return sum(path.stat().st_size for pattern in ("*.safetensors", "*.onnx") for path in folder.glob(pattern)) / 1e6


def table(rows: Sequence[Row]) -> str:
    """For docs/experiments."""
    lines = [
        "| Kind | Runtime | ms a page, least | middle | Same tags | Largest difference | MB | Export, CPU minutes |"
    ]
    lines.append("|---|---|---:|---:|---:|---:|---:|---:|")
    for row in rows:
        minutes = "" if row.minutes is None else f"{row.minutes:.1f}"
        figures = f"{row.least:,.0f} | {row.middle:,.0f} | {row.same:.2%} | {row.difference:.1g} | {row.size:,.0f}"
        lines.append(f"| {row.kind} | {row.runtime} | {figures} | {minutes} |")
    return "\n".join(lines)


def main() -> None:
    """Measure each kind, or those that are named, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.exported", description=__doc__)
    parser.add_argument("kinds", nargs="*", choices=[*KINDS, []], help="some kinds only")
    parser.add_argument("--pages", type=int, default=6, help="to read; as many others calibrate (default: %(default)s)")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    rows: list[Row] = []
    for name in arguments.kinds or KINDS:
        with TemporaryDirectory() as folder:
            rows += measure(name, Path(folder), arguments.pages)
        print(json.dumps([asdict(row) for row in rows[-5:]]), flush=True)
    print(table(rows))


if __name__ == "__main__":
    main()
