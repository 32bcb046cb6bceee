"""How many values a checkpoint reads as the service asks for them: through a server and the adapter `chat`."""

from collections.abc import Mapping, Sequence
from pathlib import Path

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
_NAME = "receipts"


def score(folder: Path, adapter: Path | None, receipts: Sequence[Receipt]) -> float:
    """F1 of the values that the checkpoint in a folder reads, with an adapter of LoRA if one is given. A value is found
    if it is letter by letter what is printed; an answer of another form has no values."""
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
        counts = [_counts(receipt.values, _read(reader, receipt)) for receipt in receipts]
    right, read, printed = map(sum, zip(*counts, strict=True))
    return 2 * right / (read + printed)


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
