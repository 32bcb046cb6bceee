"""FUNSD (Jaume et al., 2019): pictures of forms with questions, answers, headers, and links between them.

A split has `images/X.png` and `annotations/X.json`: `form` lists entities with `text`, `box` (pixels), `label`, `words`
and `linking`, pairs of ids. A question is the caption of its answer, so the service's captions say which value it is.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from models.evaluation.formats.record import Exported, Format, FormatError, Imported, ImportOptions, Printed
from models.evaluation.formats.splits import pictures_of, read_json, size_of, splits_of, write_json, write_picture
from models.evaluation.formats.values import truth_of
from serve_app.domain.document import Page, Word, union
from serve_app.domain.reading_order import group_lines
from serve_app.extraction.captions.find import find_captions
from serve_app.extraction.captions.lexicon import meanings, tokens
from serve_app.extraction.knowledge import Caption

_MEANS = {
    Caption.INVOICE_NUMBER: "invoice_number",
    Caption.RECEIPT_NUMBER: "invoice_number",
    Caption.ISSUE_DATE: "issued_at",
    Caption.DUE_DATE: "due_at",
    Caption.TOTAL: "amount",
    Caption.TAX: "tax",
}
FIELD = "field"
"""A key of our own in an exported answer: which value it is, where no caption says so. Readers of FUNSD ignore it."""


def read(source: Path, options: ImportOptions) -> Iterator[Imported]:
    """The answers whose questions are captions of an invoice. Nothing is known of other values."""
    for set_, folder in splits_of(source, "annotations", options.name):
        for picture in pictures_of(folder / "images"):
            file = folder / "annotations" / f"{picture.stem}.json"
            try:
                form = {entity["id"]: entity for entity in read_json(file)["form"]}
                texts, every = _texts(form), [str(entity["text"]) for entity in form.values()]
            except (LookupError, TypeError, AttributeError, ValueError) as error:
                raise FormatError(f"{file} is not as FUNSD describes it: {type(error).__name__} {error}") from error
            truth, unclear = truth_of(texts, None, every, options.order)
            yield Imported(set_, picture.name, picture.read_bytes(), truth, unclear)


def write(documents: Iterable[Exported], out: Path) -> None:
    """Pictures, an answer for each header value that the page prints, with its caption as the question, and all other
    words by line."""
    for each in documents:
        folder, picture = out / each.case.set, each.pictures[0]
        write_picture(folder / "images" / f"{each.stem}.jpg", picture)
        form = _Form(each.pages[0], *size_of(picture))
        for value in each.printed:
            if value.row is None:
                form.add_answer(value)
        form.add_others()
        write_json(folder / "annotations" / f"{each.stem}.json", {"form": form.entities})


def _texts(form: Mapping[int, Mapping[str, Any]]) -> dict[str, str | None]:
    found: dict[str, str | None] = {}
    for entity in form.values():
        if entity["label"] != "answer":
            continue
        ids = [one for pair in entity["linking"] for one in pair if one != entity["id"]]
        questions = [form[one]["text"] for one in ids if form[one]["label"] == "question"]
        key = entity.get(FIELD) or next(filter(None, map(_key_of, questions)), None)
        if key is not None and entity["text"]:
            found.setdefault(key, entity["text"])
    return found


def _key_of(question: str) -> str | None:
    """The value that a question asks for. A caption with several meanings asks for none in particular."""
    keys = {_MEANS.get(caption) for caption in meanings(tokens(question))}
    return keys.pop() if len(keys) == 1 else None


class _Form:
    """The entities of a page; each word belongs to one."""

    def __init__(self, page: Page, width: int, height: int) -> None:
        self.entities: list[dict[str, Any]] = []
        self._page, self._size = page, (width, height)
        self._lines = group_lines([word.box for word in page.words])
        self._used: set[int] = set()

    def add_answer(self, value: Printed) -> None:
        """An answer, and its caption before it on the line, if there is one."""
        answer = self._add("answer", value.words, {FIELD: value.key})
        if caption := self._caption_before(value.words[0]):
            question = self._add("question", caption, {})
            question["linking"] = answer["linking"] = [[question["id"], answer["id"]]]

    def add_others(self) -> None:
        """What no entity has yet, by line."""
        for line in self._lines:
            if rest := [index for index in line if index not in self._used]:
                self._add("other", rest, {})

    def _caption_before(self, word: int) -> list[int]:
        line = next(list(line) for line in self._lines if word in line)
        before = line[: line.index(word)]
        found = find_captions([self._page.words[index] for index in before])
        words = before[found[-1].first : found[-1].last + 1] if found else []
        return [] if self._used.intersection(words) else words

    def _add(self, label: str, indexes: Iterable[int], more: Mapping[str, str]) -> dict[str, Any]:
        words = [self._page.words[index] for index in indexes]
        self._used.update(indexes)
        entity = {
            "id": len(self.entities), "label": label, "text": " ".join(word.text for word in words),
            "box": self._box(words), "linking": [], **more,
            "words": [{"text": word.text, "box": self._box([word])} for word in words],
        }  # fmt: skip
        self.entities.append(entity)
        return entity

    def _box(self, words: Iterable[Word]) -> list[int]:
        box, (width, height) = self._page.shown(union(word.box for word in words)), self._size
        return [round(box.x0 * width), round(box.y0 * height), round(box.x1 * width), round(box.y1 * height)]


FORMAT = Format(read, write, single=True)
