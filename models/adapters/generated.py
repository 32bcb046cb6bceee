"""The tagged text that Donut writes: `<s_total><s_price>9.50</s_price></s_total>`, with `<sep/>` between rows."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

_OPENING = re.compile(r"^<s_([^<>]+)>$")
_CLOSING = re.compile(r"^</s_([^<>]+)>$")
_SEPARATOR = "<sep/>"


@dataclass(frozen=True, slots=True)
class GeneratedValue:
    """A value with the keys above it, outermost first.

    `probability` is the geometric mean of its tokens' probabilities: their product would punish length.
    """

    keys: tuple[str, ...]
    text: str
    probability: float


def parse_sequence(tokenizer: Any, ids: Sequence[int], chances: Sequence[float]) -> list[GeneratedValue]:
    """The values in a sequence of tokens and their probabilities; unclosed keys end with the sequence."""
    values: list[GeneratedValue] = []
    keys: list[str] = []
    run: list[tuple[int, float]] = []

    def end_run() -> None:
        if keys and run:
            text = tokenizer.decode([token for token, _ in run], skip_special_tokens=True).strip()
            if text:
                mean = sum(math.log(max(chance, 1e-9)) for _, chance in run) / len(run)
                values.append(GeneratedValue(tuple(keys), text, math.exp(mean)))
        run.clear()

    for token, (id_, chance) in zip(
        tokenizer.convert_ids_to_tokens(list(ids)), zip(ids, chances, strict=True), strict=True
    ):
        opening, closing = _OPENING.match(token), _CLOSING.match(token)
        if opening or closing or token == _SEPARATOR:
            end_run()
        if opening:
            keys.append(opening[1])
        elif closing and closing[1] in keys:
            del keys[len(keys) - 1 - keys[::-1].index(closing[1]) :]
        elif not opening and not closing and token != _SEPARATOR:
            run.append((id_, chance))
    end_run()
    return values
