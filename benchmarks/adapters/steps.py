"""What is done with one kind of model; each step runs in a process of its own, so that memory is that step's."""

import asyncio
import resource
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import yaml

from actors.model_host import ModelHost
from benchmarks.adapters.blank import write_blank
from benchmarks.adapters.small import KINDS
from models.checkpoint import find_checkpoint
from models.chosen import chosen_model
from models.config import ModelConfig
from models.evaluation.calibrate import FOLDS, collect_labelled
from models.evaluation.crossvalidation import cross_validate, fit_calibration
from models.evaluation.trust import counts
from models.loading import EXTRACTOR, VERIFIER, load_model
from models.network import open_checkpoint
from models.pipeline import Pipeline
from models.training.drawn import with_drawings
from models.training.generator import generate_training, generate_validation
from models.training.tuning.__main__ import f1
from models.training.tuning.files import CONFIG, write
from models.training.tuning.loop import fine_tune
from models.training.tuning.tasks import open_task
from serve_app.domain.document import Document
from serve_app.domain.invoice import Confidence
from serve_app.extraction.confidence.calibration import UNFITTED
from serve_app.extraction.confidence.calibrations import Calibrations

# Random weights learn faster than trained ones may.
RATE = 5e-4
_PAGES, _BATCH, _ROUNDS = 8, 8, 2
_MOST_SECONDS = 30.0
Row = dict[str, Any]


def train(name: str, folder: Path, documents: int) -> Row:
    """Teach random weights so many documents; write `folder/tuned`."""
    kind = KINDS[name]
    blank = write_blank(kind, folder / "blank")
    config = ModelConfig(adapter=kind.adapter, checkpoint=str(blank))
    task = open_task(open_checkpoint(find_checkpoint(config)), config)
    said = partial(print, flush=True)
    began = time.process_time()
    result = fine_tune(task, generate_training, documents=documents, rate=RATE, report=said)
    seconds = time.process_time() - began
    written = write(task, kind.adapter, "tuned", folder / "tuned")
    return {
        "parameters": sum(parameter.numel() for parameter in task.network.parameters()),
        "documents_a_second": result.documents / seconds,
        "first_loss": result.first_loss,
        "last_loss": result.last_loss,
        "f1": f1(chosen_model(str(written), EXTRACTOR), 8).overall,
    }


def calibrate(folder: Path, labelled: Path) -> Row:
    """Fit a calibration of the model beside the bundled verifier."""
    pipeline = Pipeline(chosen_model(str(folder / "tuned" / CONFIG), EXTRACTOR), VERIFIER, Calibrations(UNFITTED))
    observed = collect_labelled(labelled, folder / "cache", pipeline)
    fit_calibration(observed, FOLDS)
    validated = cross_validate(observed, FOLDS)
    right, high = counts(validated, Confidence.HIGH)
    return {"values": len(validated), "high": high, "high_right": right}


def serve_tuned(folder: Path) -> Row:
    """Load what was written as a replica does, and read pages with it."""
    tuned = folder / "tuned"
    config = {**yaml.safe_load((tuned / CONFIG).read_text()), "checkpoint": str(tuned)}
    return serve(config, [generate_validation(seed).document.section(1, 1) for seed in range(_PAGES)])


def serve(config: dict[str, Any], documents: Sequence[Document]) -> Row:
    """The same with any configuration and these documents, which are drawn if the model needs pictures and they have
    none."""
    return asyncio.run(_serve(config, documents))


async def _serve(config: dict[str, Any], documents: Sequence[Document]) -> Row:
    host = ModelHost(lambda settings: load_model(ModelConfig.model_validate(settings)))
    began = time.process_time()
    await host.configure(config)
    loaded = time.process_time() - began
    if host.needs_pictures:
        documents = [_drawn(document) for document in documents]
    began = time.process_time()
    speeds: list[float] = []
    while len(speeds) < _ROUNDS and time.process_time() - began < _MOST_SECONDS:
        started, pages = time.process_time(), 0
        for first in range(0, len(documents), _BATCH):
            batch = documents[first : first + _BATCH]
            await host.read(batch)
            pages += sum(len(document.pages) for document in batch)
            if time.process_time() - began > _MOST_SECONDS:
                break
        speeds.append(pages / (time.process_time() - started))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"load_seconds": loaded, "pages_a_second": median(speeds), "peak_mib": peak}


def _drawn(document: Document) -> Document:
    return document if all(page.picture for page in document.pages) else with_drawings(document)
