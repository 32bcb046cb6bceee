"""The base taught receipts in two ways: by `invoices models lora`, and with all its weights."""

import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import torch
from transformers import AutoModelForImageTextToText

from models.pretrained import load_processor, load_weights
from models.training.conversations import read_conversations
from models.training.lora import learn

_PAGES_LEARNED = 800
"""By each model: fewer corrections are learned more often."""


@dataclass(frozen=True, slots=True)
class Mixture:
    """How many corrected receipts and how many of known layouts are learned, and which weights change."""

    corrected: int
    known: int
    learns: Literal["nothing", "adapter", "all weights"]

    @property
    def epochs(self) -> int:
        """How often each receipt is learned."""
        return _PAGES_LEARNED // (self.corrected + self.known)


@dataclass(frozen=True, slots=True)
class Tuned:
    """A checkpoint, the adapter beside it if there is one, and the CPU seconds that they took."""

    checkpoint: Path
    adapter: Path | None
    seconds: float


def tune(base: Path, pages: Path, out: Path, mixture: Mixture, *, rate: float, seed: int) -> Tuned:
    """Teach the base the conversations of a folder."""
    if mixture.learns == "adapter":
        return Tuned(base, out, _by_command(base, pages, out, mixture.epochs, rate, seed))
    began = time.process_time()
    torch.manual_seed(seed)
    network, processor = load_weights(AutoModelForImageTextToText, base, dtype=torch.float32), load_processor(base)
    learn(network, processor, read_conversations(pages), epochs=mixture.epochs, rate=rate, seed=seed, report=print)
    network.save_pretrained(out)
    processor.save_pretrained(out)
    return Tuned(out, None, time.process_time() - began)


def _by_command(base: Path, pages: Path, out: Path, epochs: int, rate: float, seed: int) -> float:
    command: Sequence[str | Path] = [Path(sys.executable).with_name("invoices"), "models", "lora", base, pages]
    options = ["--epochs", str(epochs), "--rate", str(rate), "--seed", str(seed)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*command, "--out", out, *options], check=True)  # noqa: S603 - our own command
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
