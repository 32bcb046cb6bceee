"""A tiny vision language model: a real LLaVA (Liu et al., 2023) that learns a few pages by heart.

It shows that pictures, protocol and form of the answers fit together. It reads no page that it was not shown.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, decoders, pre_tokenizers
from tokenizers.models import BPE
from tokenizers.trainers import BpeTrainer

from benchmarks.adapters.llava import ANSWER, ASK, END, IMAGE, SPECIAL, Size, make_network, make_processor
from models.training.conversations import picture_of

_SIZE = Size(side=112, patch=14, vision_layers=2, vision_heads=4, text_layers=2, text_width=96, tokens=4096)
# White is nothing, and the little ink that is left of a page this small tells pages apart.
_PAPER, _INK = [1.0] * 3, [0.05] * 3
_TEMPLATE = (
    "{% for message in messages %}" + ASK + "{% if message.content is string %}{{ message.content }}{% else %}"
    "{% for part in message.content %}{% if part.type == 'image' %}" + IMAGE + "{% else %}{{ part.text }}{% endif %}"
    "{% endfor %}{% endif %}{% endfor %}" + ANSWER
)
_RATE = 3e-3
_LEARNT = 0.005
"""Mean loss a token at which every page is known by heart."""


@dataclass(frozen=True, slots=True)
class Example:
    """A page's picture (PNG), the messages in which the model is asked, as its chat template takes them, and what it is
    to write."""

    picture: bytes
    messages: list[dict[str, Any]]
    answer: str


@dataclass(frozen=True, slots=True)
class Learnt:
    """How many steps it took, and the loss at first and at last."""

    steps: int
    first_loss: float
    last_loss: float


def write_vision_model(folder: Path, examples: Sequence[Example], *, most_steps: int = 400) -> Learnt:
    """Write a model that was taught the examples, and its processor. Without examples it has random weights."""
    torch.manual_seed(0)
    texts = [text for example in examples for text in (_asked(example), example.answer)]
    processor = _processor(texts or ['{"total": null}'])
    model = make_network(processor.tokenizer, _SIZE)
    learnt = _teach(model, processor, examples, most_steps) if examples else Learnt(0, 0.0, 0.0)
    model.save_pretrained(folder)
    processor.save_pretrained(folder)
    return learnt


def _processor(texts: Sequence[str]) -> Any:
    tokenizer = Tokenizer(BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    letters = pre_tokenizers.ByteLevel.alphabet()
    trainer = BpeTrainer(vocab_size=1200, special_tokens=SPECIAL, initial_alphabet=letters)
    tokenizer.train_from_iterator(texts, trainer)
    return make_processor(tokenizer, _SIZE, _TEMPLATE, mean=_PAPER, std=_INK)


def _asked(example: Example) -> str:
    return " ".join(
        part["text"] if isinstance(part, dict) and part["type"] == "text" else str(part)
        for message in example.messages
        for part in ([message["content"]] if isinstance(message["content"], str) else message["content"])
        if isinstance(part, str) or part["type"] == "text"
    )


def _teach(model: Any, processor: Any, examples: Sequence[Example], most_steps: int) -> Learnt:
    asked = [processor.apply_chat_template(example.messages, add_generation_prompt=True) for example in examples]
    written = [f"{question}{example.answer}{END}" for question, example in zip(asked, examples, strict=True)]
    pictures = [picture_of(example.picture) for example in examples]
    batch = processor(text=written, images=pictures, padding=True, padding_side="right", return_tensors="pt")
    labels = batch["input_ids"].clone()
    labels[batch["attention_mask"] == 0] = -100
    answer = processor.tokenizer.convert_tokens_to_ids(ANSWER)
    for row in labels:
        row[: int((row == answer).nonzero()[-1]) + 1] = -100
    adam = torch.optim.AdamW(model.parameters(), lr=_RATE)
    losses: list[float] = []
    while len(losses) <= most_steps:
        loss = model(**batch, labels=labels).loss
        losses.append(float(loss.detach()))
        if losses[-1] < _LEARNT:
            break
        adam.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adam.step()
    return Learnt(len(losses) - 1, losses[0], losses[-1])
