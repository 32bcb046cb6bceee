"""Extractive question answering: one question per label; the words of the answer get that label."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from transformers import AutoModelForDocumentQuestionAnswering, AutoModelForQuestionAnswering

from models.adapters.answers import Answer, WordScores, best_answer
from models.adapters.layout_tokens import END_BOXES, looks_at_pictures
from models.config import ModelConfig, ModelError
from models.encoding import NO_BOX, LayoutBox, layout_box
from models.foreign_pieces import load_tokenizer
from models.network import NetworkFiles, load_network
from models.packing import packed
from models.pictures import PagePixels
from models.runtime import Inputs, Runtime
from models.runtimes import runtime_for
from models.shape import most_tokens
from models.spans import SpanScores
from serve_app.domain.document import Document, Page
from serve_app.domain.labels import Label
from serve_app.domain.reading import Reading

# The default questions, for what a document has once. Line items need a model that labels words.
QUESTIONS: dict[Label, str] = {
    Label.SELLER: "Who is the seller?",
    Label.INVOICE_NUMBER: "What is the invoice number?",
    Label.ISSUE_DATE: "What is the invoice date?",
    Label.DUE_DATE: "What is the due date?",
    Label.TOTAL: "What is the total amount?",
    Label.TAX: "What is the tax amount?",
}
_WITH_PLACES = frozenset({"layoutlm", "layoutlmv3", "lilt"})
_OUTPUTS = ("start_logits", "end_logits")


def question_answering(checkpoint: NetworkFiles, config: ModelConfig) -> "QuestionAnswerer":
    """Load a checkpoint's model; raise ModelError if it does not answer questions."""
    kind = checkpoint.config.model_type
    if kind in END_BOXES and kind not in _WITH_PLACES:
        raise ModelError(f"a {kind} model does not answer questions")
    with_places = kind in _WITH_PLACES
    loader = AutoModelForDocumentQuestionAnswering if kind == "layoutlm" else AutoModelForQuestionAnswering
    model = load_network(loader, checkpoint, config)
    pixels = PagePixels(checkpoint.folder) if looks_at_pictures(checkpoint.config) else None
    inputs = ("input_ids", "attention_mask", *_types(checkpoint), *(("bbox",) if with_places else ()))
    return QuestionAnswerer(
        QuestionEncoder(checkpoint, with_places),
        runtime_for(model, config, (*inputs, *(("pixel_values",) if pixels else ())), _OUTPUTS),
        config.questions or QUESTIONS,
        revision=checkpoint.revision,
        token_budget=config.token_budget,
        pixels=pixels,
    )


def _types(checkpoint: NetworkFiles) -> tuple[str, ...]:
    """Models with two segments distinguish the question from the page by them."""
    return ("token_type_ids",) if getattr(checkpoint.config, "type_vocab_size", 0) > 1 else ()


@dataclass(frozen=True, slots=True)
class _Window:
    """A question with a part of a page, as tokens; `words` holds the word of each token, -1 for none."""

    question: int
    page: int
    ids: list[int]
    types: list[int]
    boxes: list[LayoutBox]
    words: list[int]

    def __len__(self) -> int:
        return len(self.ids)


class QuestionEncoder:
    """Turn questions and pages into windows that overlap by half."""

    def __init__(self, checkpoint: NetworkFiles, with_places: bool) -> None:
        tokenizer = load_tokenizer(checkpoint.folder)
        self._backend = tokenizer.backend_tokenizer
        self._backend.no_padding()
        self._size = most_tokens(checkpoint.config)
        self.pad = int(tokenizer.pad_token_id or 0)
        self.has_types = bool(_types(checkpoint))
        self.with_places = with_places
        self._end = tokenizer.sep_token_id
        self._end_box = END_BOXES.get(checkpoint.config.model_type, NO_BOX)

    def windows(self, question: int, text: str, index: int, page: Page) -> list[_Window]:
        """The windows of a question about a page. Raise ValueError for a question that fills half of the model."""
        length = len(self._backend.encode(text, add_special_tokens=False).ids)
        room = self._size - length - self._backend.num_special_tokens_to_add(True)
        if room < self._size // 2:
            raise ValueError(f"the question is too long for the model: {text}")
        self._backend.enable_truncation(self._size, stride=room // 2, strategy="only_second")
        words = [f" {word.text}" for word in page.words]
        first = self._backend.encode(text.split(), words, is_pretokenized=True)
        return [self._window(question, index, page, part) for part in (first, *first.overflowing)]

    def _window(self, question: int, index: int, page: Page, part: "object") -> _Window:
        pairs = zip(part.word_ids, part.sequence_ids, strict=True)  # type: ignore[attr-defined]
        words = [word if sequence == 1 and word is not None else -1 for word, sequence in pairs]
        ids = list(part.ids)  # type: ignore[attr-defined]
        boxes = [
            layout_box(page.words[word].box) if word >= 0 else self._end_box if token == self._end else NO_BOX
            for token, word in zip(ids, words, strict=True)
        ]
        return _Window(question, index, ids, list(part.type_ids), boxes, words)  # type: ignore[attr-defined]


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
        token_budget: int,
        pixels: PagePixels | None = None,
    ) -> None:
        if not questions:
            raise ModelError("question_answering needs questions")
        self.revision = revision
        self.needs_pictures = pixels is not None
        self._encoder = encoder
        self._runtime = runtime
        self._questions = list(questions.items())
        self._token_budget = token_budget
        self._pixels = pixels

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
                spans.add(answer.page, range(answer.first, answer.last + 1), label, answer.probability)
        return spans.reading(self.revision)

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
        for batch in packed(windows, self._token_budget):
            outputs = self._runtime.run(self._inputs(pages, batch))
            for row, window in enumerate(batch):
                begins, ends = (outputs[name][row, : len(window)] for name in _OUTPUTS)
                scores[window.question][window.page].add(np.array(window.words), begins, ends)
        return scores

    def _inputs(self, pages: Sequence[Page], batch: Sequence[_Window]) -> Inputs:
        width = len(batch[0])
        inputs = {
            "input_ids": _padded([window.ids for window in batch], width, self._encoder.pad),
            "attention_mask": _padded([[1] * len(window) for window in batch], width, 0),
        }
        if self._encoder.has_types:
            inputs["token_type_ids"] = _padded([window.types for window in batch], width, 0)
        if self._encoder.with_places:
            inputs["bbox"] = np.array([[*window.boxes, *[NO_BOX] * (width - len(window))] for window in batch])
        if self._pixels is not None:
            inputs["pixel_values"] = np.stack([self._pixels(pages[window.page]) for window in batch])
        return inputs


def _padded(rows: Sequence[Sequence[int]], width: int, pad: int) -> npt.NDArray[np.int64]:
    return np.array([[*row, *[pad] * (width - len(row))] for row in rows])
