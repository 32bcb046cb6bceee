"""Networks that answer questions: each learns where the answer begins and ends."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import torch

from models.adapters.question_answering import loader_of
from models.adapters.questions import QUESTIONS, QuestionEncoder, Window
from models.network import NetworkFiles
from models.packing import packed
from models.training.drawn import drawn
from models.training.labelled import Labelled
from models.training.tuning.files import copy_beside
from models.training.tuning.task import TOKENS_A_BATCH, Batch, Generate, start_network
from serve_app.domain.document import Page
from serve_app.domain.labels import UNKNOWN, Label

_POOL = 16
# Every page could be asked everything, but other documents fine_tune more.
_QUESTIONS_A_PAGE = 2
# Most windows of a long page have no answer: more than these would fine_tune to say so always.
_UNANSWERED_SHARE = 0.3


@dataclass(frozen=True, slots=True)
class _Asked:
    """A window, and the tokens at which the answer begins and ends: both 0, the first mark, if it has none."""

    window: Window
    begin: int
    end: int

    def __len__(self) -> int:
        return len(self.window)


class AnswerTask:
    """Teaches a network to answer the questions of its configuration."""

    def __init__(self, checkpoint: NetworkFiles, questions: Mapping[Label, str] | None) -> None:
        self.network = start_network(loader_of(checkpoint.config), checkpoint)
        self._checkpoint = checkpoint
        self._encoder = QuestionEncoder(checkpoint)
        self._questions = list((questions or QUESTIONS).items())

    def batches(self, generate: Generate, first_seed: int) -> Iterator[tuple[Batch, int]]:
        """Windows of pages with questions."""
        generate = drawn(generate) if self._encoder.pixels else generate
        for seed in count(first_seed, _POOL):
            rng = Random(seed)
            pages: list[Page] = []
            asked: list[_Asked] = []
            for each in range(_POOL):
                asked += self._ask(generate(seed + each), pages, rng)
            groups = list(packed(asked, TOKENS_A_BATCH))
            rng.shuffle(groups)
            for number, group in enumerate(groups):
                yield self._batch(pages, group), _POOL if number == 0 else 0

    def _ask(self, sample: Labelled, pages: list[Page], rng: Random) -> Iterator[_Asked]:
        """Some questions about one page of the document, which is added to `pages`."""
        number = rng.randrange(len(sample.document.pages))
        page, tags = sample.document.pages[number], sample.tags[number]
        if not page.words:
            return
        pages.append(page)
        for question in rng.sample(range(len(self._questions)), min(_QUESTIONS_A_PAGE, len(self._questions))):
            label, text = self._questions[question]
            words = _first_span(tags, label)
            if words is None and UNKNOWN in tags:
                continue  # Nobody knows whether there is no answer.
            asked = [_asked(window, words) for window in self._encoder.windows(question, text, len(pages) - 1, page)]
            answered = [each for each in asked if each.end]
            if answered:
                yield rng.choice(answered)
            elif rng.random() < _UNANSWERED_SHARE:
                yield rng.choice(asked)

    def _batch(self, pages: Sequence[Page], group: Sequence[_Asked]) -> Batch:
        inputs = self._encoder.inputs(pages, [asked.window for asked in group])
        return {
            **{name: torch.from_numpy(values) for name, values in inputs.items()},
            "start_positions": torch.tensor([asked.begin for asked in group]),
            "end_positions": torch.tensor([asked.end for asked in group]),
        }

    def write(self, folder: Path) -> dict[str, Any]:
        """The tokenizer, and the image processor where there is one."""
        copy_beside(self._checkpoint.folder, folder)
        return {"questions": {label.value: text for label, text in self._questions}}


def _first_span(tags: Sequence[str], label: Label) -> tuple[int, int] | None:
    """The first and the last word of the first value with this label; None if there is none."""
    begin = next((word for word, tag in enumerate(tags) if tag == f"B-{label}"), None)
    if begin is None:
        return None
    end = begin
    while end + 1 < len(tags) and tags[end + 1] == f"I-{label}":
        end += 1
    return begin, end


def _asked(window: Window, words: tuple[int, int] | None) -> _Asked:
    """The answer's tokens, if the window holds the whole answer."""
    if words is None or not {*words} <= {*window.words}:
        return _Asked(window, 0, 0)
    begin = window.words.index(words[0])
    end = len(window.words) - 1 - window.words[::-1].index(words[1])
    return _Asked(window, begin, end)
