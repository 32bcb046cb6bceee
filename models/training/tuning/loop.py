"""The loop of fine-tuning: short, in full precision, on one machine."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import torch

from models.evaluation.tracking import Track
from models.training.tuning.task import Batch, Generate, TuningTask

WARM_UP_STEPS = 20
_REPORT_SECONDS = 30.0
# The share of steps, at the beginning and at the end, whose mean loss tells what was learnt.
_ENDS = 0.1


@dataclass(frozen=True, slots=True)
class TuningResult:
    """What fine-tuning came to: documents seen, its seconds, and the mean loss of its first and of its last steps."""

    documents: int
    seconds: float
    first_loss: float
    last_loss: float


def fine_tune(
    task: TuningTask,
    generate: Generate,
    *,
    documents: int,
    minutes: float | None = None,
    rate: float,
    first_seed: int = 0,
    report: Callable[[str], None],
    track: Track = lambda values, step: None,
) -> TuningResult:
    """Train until `documents` have been seen or `minutes` are over. AdamW at a constant `rate` after a warm-up."""
    network = task.network
    network.train()
    optimiser = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=0.01)
    began = reported = time.monotonic()
    losses: list[float] = []
    seen = 0
    for batch, new in task.batches(generate, first_seed):
        if _has_labels(batch):
            for group in optimiser.param_groups:
                group["lr"] = rate * min(1.0, (len(losses) + 1) / WARM_UP_STEPS)
            losses.append(_step(task, batch, optimiser))
        seen += new
        now = time.monotonic()
        if now - reported > _REPORT_SECONDS:
            reported = now
            report(f"{seen:,} of {documents:,} documents, loss {_mean(losses[-20:]):.3f}")
            track({"loss": _mean(losses[-20:])}, seen)
        if seen >= documents or (minutes is not None and now - began >= 60 * minutes):
            break
    network.train(False)
    ends = max(1, round(_ENDS * len(losses)))
    return TuningResult(seen, time.monotonic() - began, _mean(losses[:ends]), _mean(losses[-ends:]))


def _has_labels(batch: Batch) -> bool:
    """Whether a batch has any answer: with words of unknown labels only, the loss would be no number."""
    return "labels" not in batch or bool((batch["labels"] >= 0).any())


def _step(task: TuningTask, batch: Batch, optimiser: torch.optim.Optimizer) -> float:
    loss: torch.Tensor = task.network(**batch).loss
    optimiser.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(task.network.parameters(), 1.0)
    optimiser.step()
    return float(loss.detach())


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else float("nan")
