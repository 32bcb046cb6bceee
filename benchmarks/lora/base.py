"""A small LLaVA (Liu et al., 2023) that reads receipts of layouts which it has not seen, trained from random weights.

A patch of a picture shows one letter. The language model learns first, from text: to it, a letter is its embedding.
Then the picture's network learns to give the embedding of the letter in each patch. So thousands of steps need no
picture, and both parts fit together without any that have.
"""

import json
import math
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import torch
from tokenizers import AddedToken, Tokenizer, decoders
from tokenizers.models import BPE

from benchmarks.adapters.llava import ANSWER, ASK, END, IMAGE, SPECIAL, Size, make_network, make_processor
from benchmarks.lora.pages import CELL, FIELDS, LETTERS, SIDE, Receipt, taught
from models.training.conversations import picture_of
from models.training.lora import IGNORED

_SIZE = Size(
    side=SIDE * CELL,
    patch=CELL,
    vision_layers=1,
    vision_heads=2,
    text_layers=4,
    text_width=128,
    tokens=512,
    ties=True,
)
_OPENINGS = [*(f'{start}"{field}": "' for field in FIELDS for start in ("{", '", ')), '"}']
"""What stands between the values of an answer: a token each, so that answers are short."""
# It has one task, so it needs no instructions.
_TEMPLATE = (
    "{% for message in messages if message.role == 'user' %}" + ASK + "{% for part in message.content %}"
    "{% if part.type == 'image' %}" + IMAGE + "{% endif %}{% endfor %}{% endfor %}" + ANSWER
)
_LETTERS_A_STEP = 3000
"""Of questions and answers together, about: long receipts come in small batches."""
_RATE, _WARM_UP, _HORIZON = 1e-3, 200, 4000
"""The rate of learning rises, then falls slowly towards the horizon."""
_ROWS = ((0, 2), (182, 3), (364, 4), (510, 6), (580, 8), (650, 10), (720, SIDE))
"""From which step on receipts have how many rows: copying is learned from short ones with a tenth of the work."""
_ANSWER_LETTERS = 40
_SAVED_EVERY = 50
_LETTER_STEPS, _LETTER_RATE = 300, 3e-3

Report = Callable[[str], None]


def answer_of(receipt: Receipt) -> str:
    """As the adapter wants it."""
    return json.dumps(dict(receipt.values))


def make(seed: int) -> tuple[Any, Any]:
    """A network of random weights, and its processor."""
    torch.manual_seed(seed)
    processor = _processor()
    return make_network(processor.tokenizer, _SIZE), processor


def teach_language(network: Any, processor: Any, folder: Path, *, steps: int, seed: int, report: Report) -> None:
    """Teach to copy values from letters, from short receipts to whole ones. Goes on from `folder` if it was interrupted
    there; each step has receipts of its own."""
    weights = [*network.model.language_model.parameters(), *network.lm_head.parameters()]
    optimiser = torch.optim.AdamW(list(dict.fromkeys(weights)), lr=_RATE, betas=(0.9, 0.98), weight_decay=0.01)
    kept, begin = folder / "language.pt", 0
    if kept.is_file():
        state = torch.load(kept, weights_only=True)
        network.load_state_dict(state["network"])
        optimiser.load_state_dict(state["optimiser"])
        begin = state["steps"]
    network.train()
    for step in range(begin, steps):
        for group in optimiser.param_groups:
            group["lr"] = _rate(step)
        batch = _texts(processor.tokenizer, _random(seed, step), _rows(step))
        loss = network(**batch).loss
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimiser.step()
        if (step + 1) % _SAVED_EVERY == 0 or step + 1 == steps:
            state = {"network": network.state_dict(), "optimiser": optimiser.state_dict(), "steps": step + 1}
            torch.save(state, kept)
            report(f"language: {step + 1} of {steps} steps, loss {float(loss.detach()):.3f}")
    network.train(False)


def teach_letters(network: Any, processor: Any, *, seed: int, report: Report) -> None:
    """Teach the picture's network to give the embedding of the letter in each patch."""
    embeddings = network.get_input_embeddings().weight.detach()
    letters = torch.tensor(processor.tokenizer.convert_tokens_to_ids(list(LETTERS)))
    weights = [*network.model.vision_tower.parameters(), *network.model.multi_modal_projector.parameters()]
    optimiser = torch.optim.AdamW(weights, lr=_LETTER_RATE)
    scale = float(embeddings[letters].std())
    network.train()
    for step in range(_LETTER_STEPS):
        for group in optimiser.param_groups:
            group["lr"] = _LETTER_RATE * (1 - step / _LETTER_STEPS)
        random = _random(seed, step)
        receipts = [_jumbled(random) for _ in range(3)]
        pixels = processor.image_processor([picture_of(each.picture()) for each in receipts], return_tensors="pt")
        shown = torch.tensor([processor.tokenizer.convert_tokens_to_ids(list(each.letters)) for each in receipts])
        features = torch.stack([*network.model.get_image_features(**pixels).pooler_output])
        loss = ((features - embeddings[shown]) / scale).square().mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    nearest = letters[torch.cdist(features.detach(), embeddings[letters]).argmin(-1)]
    right = float((nearest == shown).float().mean())
    report(f"letters: {_LETTER_STEPS} steps, loss {float(loss.detach()):.5f}, {right:.2%} right in the last")
    network.train(False)


def _random(seed: int, step: int) -> Random:
    return Random(seed * 1_000_000 + step)  # noqa: S311 - receipts, not secrets


def _jumbled(random: Random) -> Receipt:
    """Any letters, so that all are as frequent."""
    return Receipt(tuple("".join(random.choices(LETTERS, k=SIDE)) for _ in range(SIDE)), {})


def _rows(step: int) -> int:
    return next(rows for begin, rows in reversed(_ROWS) if step >= begin)


def _rate(step: int) -> float:
    slowly = 0.05 + 0.95 * (1 + math.cos(math.pi * step / _HORIZON)) / 2
    return _RATE * min(1.0, (step + 1) / _WARM_UP) * slowly


def _texts(tokenizer: Any, random: Random, rows: int) -> dict[str, torch.Tensor]:
    """Receipts as the language model sees them, with their answers; only these count for the loss."""
    receipts = [taught(random, rows) for _ in range(_LETTERS_A_STEP // (rows * SIDE + _ANSWER_LETTERS))]
    asked = [tokenizer(f"{ASK}{each.letters}{ANSWER}")["input_ids"] for each in receipts]
    answers = [tokenizer(f"{answer_of(each)}{END}")["input_ids"] for each in receipts]
    begin, width = len(asked[0]), max(map(len, answers))
    ids = np.full((len(receipts), begin + width), tokenizer.pad_token_id)
    labels = np.full_like(ids, IGNORED)
    for row, (question, answer) in enumerate(zip(asked, answers, strict=True)):
        ids[row, :begin] = question
        ids[row, begin : begin + len(answer)] = labels[row, begin : begin + len(answer)] = answer
    return {"input_ids": torch.from_numpy(ids), "labels": torch.from_numpy(labels)}


def _processor() -> Any:
    names = [*SPECIAL, *LETTERS]
    tokenizer = Tokenizer(BPE({name: index for index, name in enumerate(names)}, []))
    tokenizer.decoder = decoders.Fuse()
    tokenizer.add_special_tokens(SPECIAL)
    tokenizer.add_tokens([AddedToken(opening, normalized=False) for opening in _OPENINGS])
    return make_processor(tokenizer, _SIZE, _TEMPLATE, mean=[0.5] * 3, std=[0.5] * 3)
