"""How many values a checkpoint reads as the service asks for them: through a server and the adapter `chat`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.adapters.chat_server import VisionModel, chat_server
from benchmarks.lora.pages import CELL, SIDE, Receipt
from models.chat.answers import HEADER, SUMS
from models.chat.client import ChatClient, ChatFailure
from models.chat.reader import ChatReader
from models.config import ModelConfig
from models.evaluation.dataset import Case
from models.evaluation.formats import chat
from models.evaluation.formats.record import Exported, Printed
from models.evaluation.formats.values import LABELS
from serve_app.domain.document import Page

_FIELDS = {label: field for field, label in {**HEADER, **SUMS}.items()}
_KEYS = {label: key for key, label in LABELS.items()}
_RESAMPLED = 2000
_NAME = "receipts"


@dataclass(frozen=True, slots=True)
class Score:
    """F1 of values over some receipts, and its 95 % interval by the bootstrap over receipts. A value is found if it is
    letter by letter what is printed; an answer of another form has no values."""

    f1: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.f1:.3f} ({self.low:.3f} to {self.high:.3f})"


def score(folder: Path, adapter: Path | None, receipts: Sequence[Receipt]) -> Score:
    """What the checkpoint in a folder reads, with an adapter of LoRA if one is given."""
    with chat_server(VisionModel(folder, adapter)) as url:
        entry = {
            "adapter": "chat",
            "checkpoint": _NAME,
            "endpoint": {"url": url, "sends": "pictures", "most_tokens": 96, "tries": 1},
        }
        config = ModelConfig.model_validate(entry)
        assert config.endpoint is not None
        # Without the trial page, which is no receipt on a grid.
        reader = ChatReader(config, ChatClient(config.endpoint), None)
        counts = np.array([_counts(receipt.values, _read(reader, receipt)) for receipt in receipts])
    samples = np.random.default_rng(0).integers(len(counts), size=(_RESAMPLED, len(counts)))
    low, high = np.quantile([_f1(counts[sample]) for sample in samples], (0.025, 0.975))
    return Score(_f1(counts), float(low), float(high))


def write_conversations(receipts: Sequence[Receipt], out: Path) -> Path:
    """The receipts as `invoices data export chat` writes corrected documents."""
    out.mkdir(parents=True)
    chat.write(map(_exported, range(len(receipts)), receipts), out)
    return out


def _exported(number: int, receipt: Receipt) -> Exported:
    printed = tuple(Printed(_KEYS[{**HEADER, **SUMS}[field]], text, 0, ()) for field, text in receipt.values.items())
    case = Case(_NAME, Path(f"{number:04}.png"), ({each.key: each.text for each in printed},))
    picture = receipt.picture()
    return Exported(case, picture, (_page(receipt),), (picture,), printed)


def _page(receipt: Receipt) -> Page:
    return Page(1, float(SIDE * CELL), float(SIDE * CELL), (), picture=receipt.picture())


def _read(reader: ChatReader, receipt: Receipt) -> dict[str, str]:
    try:
        return {_FIELDS[value.label]: value.text for value in reader.ask(_page(receipt))}
    except ChatFailure:
        return {}


def _counts(printed: Mapping[str, str], read: Mapping[str, str]) -> tuple[int, int, int]:
    """Values that are right, read and printed."""
    return sum(printed.get(field) == text for field, text in read.items()), len(read), len(printed)


def _f1(counts: Any) -> float:
    right, read, printed = counts.sum(axis=0)
    return float(2 * right / (read + printed))
