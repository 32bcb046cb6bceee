"""Extractive question answering: one question per label; the words of the answer get that label."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from transformers import AutoModelForDocumentQuestionAnswering, AutoModelForQuestionAnswering, PretrainedConfig

from models.adapters.answers import Answer, WordScores, best_answer
from models.adapters.questions import QUESTIONS, QuestionEncoder, Window
from models.config import ModelConfig, ModelError
from models.network import NetworkFiles, load_network
from models.runtime import Runtime
from models.runtimes import runtime_for
from models.spans import SpanScores
from models.token_budget import measured_budget
from models.trial_pages import full_page
from serve_app.domain.document import Document, Page
from serve_app.domain.labels import Label
from serve_app.domain.reading import Reading, StatedValue

_OUTPUTS = ("start_logits", "end_logits")


def question_answering(checkpoint: NetworkFiles, config: ModelConfig) -> "QuestionAnswerer":
    """Load a checkpoint's model; raise ModelError if it does not answer questions."""
    encoder = QuestionEncoder(checkpoint)
    model = load_network(loader_of(checkpoint.config), checkpoint, config)
    return QuestionAnswerer(
        encoder,
        runtime_for(model, config, encoder.names, _OUTPUTS),
        config.questions or QUESTIONS,
        revision=checkpoint.revision,
        token_budget=config.token_budget,
    )


def loader_of(config: PretrainedConfig) -> Any:
    """The auto class of transformers that loads such a network."""
    return AutoModelForDocumentQuestionAnswering if config.model_type == "layoutlm" else AutoModelForQuestionAnswering


class QuestionAnswerer:
    """Asks every question of every page of a document.

    The scores of all pages are normalised together (shared normalisation: Clark and Gardner, 2018), so that a page
    without the answer gives none.
    """

    def __init__(
        self,
        encoder: QuestionEncoder,
        runtime: Runtime,
        questions: dict[Label, str],
        *,
        revision: str,
        token_budget: int | None,
    ) -> None:
        if not questions:
            raise ModelError("question_answering needs questions")
        self.revision = revision
        self.sha256 = ""
        self.needs_pictures = encoder.pixels is not None
        self._encoder = encoder
        self._runtime = runtime
        self._questions = list(questions.items())
        self._budget = measured_budget(token_budget, runtime.memory, encoder.size, self._probe, revision)

    def read(self, documents: Sequence[Document]) -> list[Reading]:
        """One reading for each document, in order; the windows of all of them share batches."""
        pages = [page for document in documents for page in document.pages]
        scores = self._scores(pages)
        readings, start = [], 0
        for document in documents:
            numbers = range(start, start + len(document.pages))
            readings.append(self._reading(document, [[scores[q][n] for n in numbers] for q in range(len(scores))]))
            start += len(document.pages)
        return readings

    def _reading(self, document: Document, scores: list[list[WordScores]]) -> Reading:
        spans = SpanScores(document)
        for (label, _), pages in zip(self._questions, scores, strict=True):
            answer: Answer | None = best_answer(pages)
            if answer is not None:
                spans.add(answer.page, _stated(label, answer, document.pages[answer.page]))
        return spans.reading(self.revision, self.sha256)

    def _scores(self, pages: Sequence[Page]) -> list[list[WordScores]]:
        """By question and page: the scores of each word beginning and ending the answer."""
        scores = [[WordScores.nothing(len(page.words)) for page in pages] for _ in self._questions]
        windows = [
            window
            for question, (_, text) in enumerate(self._questions)
            for index, page in enumerate(pages)
            if page.words
            for window in self._encoder.windows(question, text, index, page)
        ]

        def add(batch: list[Window]) -> None:
            outputs = self._runtime.run(self._encoder.inputs(pages, batch))
            for row, window in enumerate(batch):
                begins, ends = (outputs[name][row, : len(window)] for name in _OUTPUTS)
                scores[window.question][window.page].add(np.array(window.words), begins, ends)

        self._budget.run(windows, add)
        return scores

    def _probe(self, count: int) -> None:
        page, (_, question) = full_page(), self._questions[0]
        window = self._encoder.windows(0, question, 0, page)[0]
        self._runtime.run(self._encoder.inputs([page], [window] * count))


def _stated(label: Label, answer: Answer, page: Page) -> StatedValue:
    words = tuple(range(answer.first, answer.last + 1))
    text = " ".join(page.words[word].text for word in words)
    return StatedValue(label, text, answer.probability, words, is_printed=True)
