"""Networks that write what they see in a picture: each learns to write a page's values with their labels."""

from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import torch
from transformers import AutoModelForImageTextToText, PreTrainedModel

from models.adapters.image_to_sequence import check_kind
from models.config import ModelError
from models.network import NetworkFiles
from models.pictures import PagePixels
from models.pretrained import load_tokenizer
from models.training.drawn import drawn
from models.training.examples import IGNORED
from models.training.tuning.files import copy_beside
from models.training.tuning.task import Batch, Generate, start_network
from serve_app.domain.document import Page
from serve_app.domain.labels import OUTSIDE, UNKNOWN, Label

_PAGES_A_BATCH = 4


class SequenceTask:
    """Teaches a Donut to write `<s_LABEL>value</s_LABEL>` for each value, in reading order."""

    def __init__(self, checkpoint: NetworkFiles) -> None:
        check_kind(checkpoint)
        network: Any = start_network(AutoModelForImageTextToText, checkpoint)
        self.network: PreTrainedModel = network
        self._checkpoint = checkpoint
        self._tokenizer = load_tokenizer(checkpoint.folder)
        self._pixels = PagePixels(checkpoint.folder)
        self._tokenizer.add_tokens([f"<{end}s_{label}>" for label in Label for end in ("", "/")])
        network.decoder.resize_token_embeddings(len(self._tokenizer))
        network.config.decoder.vocab_size = len(self._tokenizer)
        if network.config.decoder_start_token_id is None:
            raise ModelError(f"the model in {checkpoint.folder} does not say what its writing starts with")

    def batches(self, generate: Generate, first_seed: int) -> Iterator[tuple[Batch, int]]:
        """Pictures of pages, and what is to be written about each."""
        generate = drawn(generate)
        shown: list[tuple[Page, Sequence[str]]] = []
        for seed in count(first_seed):
            sample = generate(seed)
            number = Random(seed).randrange(len(sample.document.pages))
            if UNKNOWN not in sample.tags[number]:
                shown.append((sample.document.pages[number], sample.tags[number]))
            if len(shown) == _PAGES_A_BATCH:
                yield self._batch(shown), _PAGES_A_BATCH
                shown = []

    def _batch(self, shown: Sequence[tuple[Page, Sequence[str]]]) -> Batch:
        written = [self._ids(page, tags) for page, tags in shown]
        labels = torch.full((len(shown), max(map(len, written))), IGNORED)
        for row, ids in enumerate(written):
            labels[row, : len(ids)] = torch.tensor(ids)
        pixels = np.stack([self._pixels(page) for page, _ in shown])
        return {"pixel_values": torch.from_numpy(pixels), "labels": labels}

    def _ids(self, page: Page, tags: Sequence[str]) -> list[int]:
        ids: list[int] = self._tokenizer(written_form(page, tags), add_special_tokens=False)["input_ids"]
        most = int(getattr(self.network.config.decoder, "max_position_embeddings", len(ids) + 1))
        return [*ids[: most - 1], int(self._tokenizer.sep_token_id or self._tokenizer.eos_token_id)]

    def write(self, folder: Path) -> dict[str, Any]:
        """The image processor, and the tokenizer with its new tokens."""
        copy_beside(self._checkpoint.folder, folder)
        self._tokenizer.save_pretrained(folder)
        return {"label_map": {label.value: label.value for label in Label}}


def written_form(page: Page, tags: Sequence[str]) -> str:
    """What a network is to write about a page."""
    parts: list[str] = []
    open_label = ""
    for word, tag in zip(page.words, [*tags], strict=True):
        label = "" if tag == OUTSIDE else tag[2:]
        if open_label and (label != open_label or tag.startswith("B-")):
            parts.append(f"</s_{open_label}>")
            open_label = ""
        if label:
            parts.append(f" {word.text}" if open_label else f"<s_{label}>{word.text}")
            open_label = label
    return "".join(parts) + (f"</s_{open_label}>" if open_label else "")
