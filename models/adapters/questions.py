"""What a network that answers questions about pages is shown, in use and in training."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from models.adapters.layout_tokens import END_BOXES, looks_at_pictures
from models.config import ModelError
from models.encoding import NO_BOX, LayoutBox, layout_box
from models.network import NetworkFiles
from models.pictures import PagePixels
from models.pretrained import load_tokenizer
from models.runtime import Inputs
from models.shape import most_tokens
from models.token_inputs import stacked
from serve_app.domain.document import Page
from serve_app.domain.labels import Label

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


@dataclass(frozen=True, slots=True)
class Window:
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

    def __init__(self, checkpoint: NetworkFiles) -> None:
        kind = checkpoint.config.model_type
        if kind in END_BOXES and kind not in _WITH_PLACES:
            raise ModelError(f"a {kind} model does not answer questions")
        tokenizer = load_tokenizer(checkpoint.folder)
        self._backend = tokenizer.backend_tokenizer
        self._backend.no_padding()
        self.size = most_tokens(checkpoint.config)
        self.pad = int(tokenizer.pad_token_id or 0)
        self.with_places = kind in _WITH_PLACES
        # Models with two segments distinguish the question from the page by them.
        self.has_types = getattr(checkpoint.config, "type_vocab_size", 0) > 1
        self.pixels = PagePixels(checkpoint.folder) if looks_at_pictures(checkpoint.config) else None
        self._end = tokenizer.sep_token_id
        self._end_box = END_BOXES.get(kind, NO_BOX)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the network's inputs."""
        optional = {"token_type_ids": self.has_types, "bbox": self.with_places, "pixel_values": self.pixels}
        return ("input_ids", "attention_mask", *(name for name, is_given in optional.items() if is_given))

    def windows(self, question: int, text: str, index: int, page: Page) -> list[Window]:
        """The windows of a question about a page. Raise ValueError for a question that fills half of the model."""
        length = len(self._backend.encode(text, add_special_tokens=False).ids)
        room = self.size - length - self._backend.num_special_tokens_to_add(True)
        if room < self.size // 2:
            raise ValueError(f"the question is too long for the model: {text}")
        self._backend.enable_truncation(self.size, stride=room // 2, strategy="only_second")
        words = [f" {word.text}" for word in page.words]
        first = self._backend.encode(text.split(), words, is_pretokenized=True)
        return [self._window(question, index, page, part) for part in (first, *first.overflowing)]

    def _window(self, question: int, index: int, page: Page, part: "object") -> Window:
        pairs = zip(part.word_ids, part.sequence_ids, strict=True)  # type: ignore[attr-defined]
        words = [word if sequence == 1 and word is not None else -1 for word, sequence in pairs]
        ids = list(part.ids)  # type: ignore[attr-defined]
        boxes = [
            layout_box(page.words[word].box) if word >= 0 else self._end_box if token == self._end else NO_BOX
            for token, word in zip(ids, words, strict=True)
        ]
        return Window(question, index, ids, list(part.type_ids), boxes, words)  # type: ignore[attr-defined]

    def inputs(self, pages: Sequence[Page], batch: Sequence[Window]) -> Inputs:
        """Padded inputs of some windows, the longest first. Raise ValueError for a page without a picture, if the
        network needs one."""
        width = len(batch[0])
        inputs: Inputs = {
            "input_ids": _padded([window.ids for window in batch], width, self.pad),
            "attention_mask": _padded([[1] * len(window) for window in batch], width, 0),
        }
        if self.has_types:
            inputs["token_type_ids"] = _padded([window.types for window in batch], width, 0)
        if self.with_places:
            inputs["bbox"] = np.array([[*window.boxes, *[NO_BOX] * (width - len(window))] for window in batch])
        if self.pixels is not None:
            inputs["pixel_values"] = stacked(self.pixels, [pages[window.page] for window in batch])
        return inputs


def _padded(rows: Sequence[Sequence[int]], width: int, pad: int) -> npt.NDArray[np.int64]:
    return np.array([[*row, *[pad] * (width - len(row))] for row in rows])
