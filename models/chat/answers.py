"""From the JSON that a chat model wrote to values with labels and probabilities."""

import json
import json.scanner
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

from models.chat.client import Answer, ChatFailure, Token
from serve_app.domain.labels import Label

HEADER: Mapping[str, Label] = {
    "seller": Label.SELLER,
    "buyer": Label.BUYER,
    "invoice_number": Label.INVOICE_NUMBER,
    "issue_date": Label.ISSUE_DATE,
    "due_date": Label.DUE_DATE,
    "currency": Label.CURRENCY,
}
LINE: Mapping[str, Label] = {
    "description": Label.LINE_DESCRIPTION,
    "quantity": Label.LINE_QUANTITY,
    "unit_price": Label.LINE_UNIT_PRICE,
    "total": Label.LINE_TOTAL,
}
SUMS: Mapping[str, Label] = {
    "subtotal": Label.SUBTOTAL,
    "shipping": Label.SHIPPING,
    "discount": Label.DISCOUNT,
    "tax": Label.TAX,
    "total": Label.TOTAL,
    "amount_paid": Label.PAID,
    "amount_due": Label.AMOUNT_DUE,
}
LINES = "lines"

UNKNOWN_PROBABILITY = 0.8
"""Of a value from a server that tells no probabilities. Calibration learns what it is worth."""
# Longer texts are no values of an invoice, and take long to look for.
_MOST_LETTERS = 300
_MOST_LINES = 500
_FENCE = "```"


@dataclass(frozen=True, slots=True)
class Value:
    """A text that the model says is printed on the page."""

    label: Label
    text: str
    probability: float


class _Text(str):
    """A text of the JSON, which knows from where to where it stands there."""

    __slots__ = ("end", "start")
    start: int
    end: int


class _Decoder(json.JSONDecoder):
    """Decodes texts as `_Text`."""

    def __init__(self) -> None:
        super().__init__()
        self.parse_string = _text
        self.scan_once = json.scanner.py_make_scanner(self)  # type: ignore[attr-defined]


def _text(source: str, start: int, strict: bool = True) -> tuple[_Text, int]:
    found, end = scanstring(source, start, strict)
    text = _Text(found)
    text.start, text.end = start, end - 1
    return text, end


def values_of(answer: Answer) -> list[Value]:
    """The values in the order in which pages print them. Raises ChatFailure if the answer is not of the wanted form."""
    read = _parsed(answer.text)
    lines = read.get(LINES) or []
    if not isinstance(lines, list) or not all(isinstance(line, dict) for line in lines):
        raise ChatFailure("the model's answer is not of the wanted form", is_passing=True)
    pairs = [*_pairs(read, HEADER)]
    for line in lines[:_MOST_LINES]:
        pairs += _pairs(line, LINE)
    pairs += _pairs(read, SUMS)
    return [Value(label, str(text), _probability(answer.tokens, text)) for label, text in pairs]


def check(answer: Answer) -> None:
    """Raise ChatFailure if the answer is not of the wanted form."""
    values_of(answer)


def _parsed(text: str) -> dict[str, Any]:
    """The JSON object of an answer, which may stand in a fence or after some prose."""
    start = text.find("{", text.find(_FENCE) + 1 if _FENCE in text else 0)
    try:
        read, _ = _Decoder().raw_decode(text, start)
    except (ValueError, IndexError, RecursionError) as error:
        raise ChatFailure("the model's answer is no JSON", is_passing=True) from error
    if not isinstance(read, dict) or not read.keys() & {*HEADER, *SUMS, LINES}:
        raise ChatFailure("the model's answer is not of the wanted form", is_passing=True)
    return read


def _pairs(read: Mapping[str, Any], labels: Mapping[str, Label]) -> Iterator[tuple[Label, _Text]]:
    """Values that are texts; whatever else a model writes there is no text of the page."""
    for key, label in labels.items():
        text = read.get(key)
        if isinstance(text, _Text) and text.strip() and len(text) <= _MOST_LETTERS:
            yield label, text


def _probability(tokens: Sequence[Token], text: _Text) -> float:
    """The geometric mean of the probabilities of its tokens: their product would punish length."""
    logs, position = [], 0
    for token in tokens:
        end = position + len(token.text)
        if position < text.end and end > text.start:
            logs.append(math.log(max(token.probability, 1e-9)))
        position = end
    return math.exp(sum(logs) / len(logs)) if logs else UNKNOWN_PROBABILITY
