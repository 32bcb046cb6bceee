"""Made-up invoices, and models that answer about them whatever they are to answer."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import httpx2
import numpy as np
import torch

from models.adapters.image_to_sequence import SequenceReader
from models.adapters.question_answering import QuestionAnswerer
from models.adapters.questions import QuestionEncoder
from models.chat.client import ChatClient
from models.chat.endpoint import Endpoint
from models.chat.reader import ChatReader
from models.checkpoint import find_checkpoint
from models.config import Adapter, ModelConfig
from models.network import open_checkpoint
from serve_app.domain.document import Document
from serve_app.domain.labels import Label
from tests.extraction.pages import document_of
from tests.models.adapters.pages import picture
from tests.models.chat.stand_in import completion, written

HEADER = {
    "seller": Label.SELLER,
    "invoice_number": Label.INVOICE_NUMBER,
    "issue_date": Label.ISSUE_DATE,
    "due_date": Label.DUE_DATE,
    "currency": Label.CURRENCY,
    "tax": Label.TAX,
    "total": Label.TOTAL,
}
CELLS = {
    "description": Label.LINE_DESCRIPTION,
    "quantity": Label.LINE_QUANTITY,
    "unit_price": Label.LINE_UNIT_PRICE,
    "total": Label.LINE_TOTAL,
}
# Before the rows, and after them: in this order pages print what they print.
ABOVE = ("seller", "invoice_number", "issue_date", "due_date", "currency")
_NAMES = ("Akme", "Norton", "Delvaux", "Kramer", "Ostrov", "Bellini")
_TRADES = ("Tools", "Print", "Logistics", "Catering")
_THINGS = ("Steel hammer", "Long saw", "Copper wire", "Oak board", "Safety gloves")


@dataclass(frozen=True)
class Invoice:
    """What an invoice prints, as text."""

    header: Mapping[str, str]
    rows: Sequence[Mapping[str, str]]
    net: str

    def lines(self) -> list[str]:
        """Its page in the form of `document_of`, with labels."""

        def words(text: str, label: Label) -> str:
            return " ".join(f"{word}|{label}" for word in text.split())

        head = {name: words(text, HEADER[name]) for name, text in self.header.items()}
        rows = [" ".join(words(row[cell], label) for cell, label in CELLS.items()) for row in self.rows]
        return [
            head["seller"],
            f"Invoice No. {head['invoice_number']}",
            f"Date: {head['issue_date']} Due: {head['due_date']}",
            f"Description ~ Qty Price Amount {head['currency']}",
            *rows,
            f"Net {words(self.net, Label.SUBTOTAL)}",
            f"VAT 20% {head['tax']}",
            f"Total {head['currency']} {head['total']}",
        ]

    def document(self) -> Document:
        (page,) = document_of(self.lines()).pages
        return Document((page,))


def draw_invoice(random: Random) -> Invoice:
    """An invoice whose sums hold."""
    rows = []
    for thing in random.sample(_THINGS, 2):
        quantity, price = random.randint(2, 9), Decimal(random.randint(1000, 9999)) / 100
        rows.append(
            {
                "description": thing,
                "quantity": str(quantity),
                "unit_price": f"{price:.2f}",
                "total": f"{quantity * price:.2f}",
            }
        )
    net = sum((Decimal(row["total"]) for row in rows), Decimal(0))
    tax = (net * Decimal("0.2")).quantize(Decimal("0.01"))
    issued = date(2024, 1, 1) + timedelta(days=random.randrange(700))
    header = {
        "seller": f"{random.choice(_NAMES)} {random.choice(_TRADES)} Ltd",
        "invoice_number": f"INV-{random.randint(10000, 99999)}",
        "issue_date": issued.isoformat(),
        "due_date": (issued + timedelta(days=14)).isoformat(),
        "currency": random.choice(("EUR", "USD", "GBP")),
        "tax": f"{tax:.2f}",
        "total": f"{net + tax:.2f}",
    }
    return Invoice(header, rows, f"{net:.2f}")


class Chat:
    """A chat model behind a server that answers so about each page."""

    def __init__(self) -> None:
        self._body: bytes = b""
        endpoint = Endpoint.model_validate({"url": "http://127.0.0.1:9/v1", "sends": "words"})
        transport = httpx2.MockTransport(lambda _: httpx2.Response(200, content=self._body))
        config = ModelConfig(adapter=Adapter.CHAT, checkpoint="acme/vl", endpoint=endpoint)
        self._reader = ChatReader(config, ChatClient(endpoint, transport=transport), None)

    def read(self, document: Document, answer: Invoice) -> Any:
        text = written({**answer.header, "lines": list(answer.rows), "subtotal": answer.net})
        self._body = completion(text, probability=-0.001)
        (reading,) = self._reader.read([document])
        return reading


class Writer:
    """A Donut that writes so about each page."""

    def __init__(self, checkpoint: Path) -> None:
        config = ModelConfig(
            adapter=Adapter.IMAGE_TO_SEQUENCE, checkpoint=str(checkpoint), label_map=DONUT_MAP, revision="donut"
        )
        network: Any = SimpleNamespace(device=torch.device("cpu"), dtype=torch.float32, generate=self._generate)
        network.config = SimpleNamespace(
            decoder_start_token_id=1, decoder=SimpleNamespace(bos_token_id=1, max_position_embeddings=1024)
        )
        files = open_checkpoint(find_checkpoint(config))
        self._reader = SequenceReader(network, files, config)
        vocabulary = json.loads((files.folder / "tokenizer.json").read_text())
        self._ids = {
            **vocabulary["model"]["vocab"],
            **{each["content"]: each["id"] for each in vocabulary["added_tokens"]},
        }
        self._tokens: list[str] = []

    def _generate(self, decoder_input_ids: torch.Tensor, **_: Any) -> Any:
        ids = torch.tensor([[*decoder_input_ids[0].tolist(), *(self._ids[token] for token in self._tokens)]])
        rows = torch.zeros(len(self._tokens), 1, len(self._ids))
        for row, token in zip(rows, self._tokens, strict=True):
            row[0, self._ids[token]] = 20
        return SimpleNamespace(sequences=ids, scores=list(rows))

    def read(self, document: Document, answer: Invoice) -> Any:
        above = [token for name in ABOVE for token in _tagged(name, answer.header[name])]
        rows = [token for row in answer.rows for cell in CELLS for token in _tagged(f"line_{cell}", row[cell])]
        below = [token for name in ("tax", "total") for token in _tagged(name, answer.header[name])]
        self._tokens = [*above, *rows, *_tagged("net", answer.net), *below]
        (page,) = document.pages
        (reading,) = self._reader.read([Document((_with_picture(page),))])
        return reading


DONUT_MAP: dict[str, str | None] = {
    **{name: label.value for name, label in HEADER.items()},
    **{f"line_{cell}": label.value for cell, label in CELLS.items()},
    "net": Label.SUBTOTAL.value,
}


def _tagged(key: str, text: str) -> list[str]:
    """As tokens of one letter each; of a word, all but the first continue it."""
    letters = [letter if not at else f"##{letter}" for word in text.split() for at, letter in enumerate(word)]
    return [f"<s_{key}>", *letters, f"</s_{key}>"]


def _with_picture(page: Any) -> Any:
    from dataclasses import replace

    return replace(page, picture=picture())


class Questions:
    """A network that finds these words as the answers to its questions."""

    memory = None

    def __init__(self, checkpoint: Path) -> None:
        config = ModelConfig(adapter=Adapter.QUESTION_ANSWERING, checkpoint=str(checkpoint))
        self._encoder = QuestionEncoder(open_checkpoint(find_checkpoint(config)))
        self._questions = {label: f"q{number}" for number, label in enumerate(HEADER.values())}
        self._answers: dict[tuple[int, ...], tuple[int, int]] = {}
        self._reader = QuestionAnswerer(self._encoder, self, self._questions, revision="answers", token_budget=4096)

    def run(self, inputs: Mapping[str, np.typing.NDArray[Any]]) -> dict[str, np.typing.NDArray[np.float32]]:
        shape = inputs["input_ids"].shape
        begins, ends = np.full(shape, -9, np.float32), np.full(shape, -9, np.float32)
        for row, ids in enumerate(inputs["input_ids"]):
            begin, end = self._answers.get(tuple(ids[inputs["attention_mask"][row] > 0]), (0, 0))
            begins[row, begin] = ends[row, end] = 9
        return {"start_logits": begins, "end_logits": ends}

    def read(self, document: Document, spans: Mapping[Label, tuple[int, int]]) -> Any:
        """`spans`: the first and the last word of each answer."""
        (page,) = document.pages
        self._answers = {}
        for number, (label, text) in enumerate(self._questions.items()):
            for window in self._encoder.windows(number, text, 0, page):
                first, last = spans[label]
                if {first, last} <= set(window.words):
                    end = len(window.words) - 1 - window.words[::-1].index(last)
                    self._answers[tuple(window.ids)] = (window.words.index(first), end)
        (reading,) = self._reader.read([document])
        return reading
