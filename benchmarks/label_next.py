"""What documents that `invoices label-next` chooses teach, beside documents drawn at random.

Usage: python -m benchmarks.label_next --real DIR [--repeats 20]

DIR holds labelled documents (docs/how-to/train-models.md); its training part is the inbox. A small tagger of hashed
words, places and neighbours learns from 30 documents drawn at random and from 50 or 100 more, chosen in one way or
another. A field is right if its likeliest words are exactly labelled ones: in the rest of the inbox, and in the
validation part, whose issuers are not in the inbox. Each repeat begins with other documents, the same for every way.
"""

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from zlib import crc32

import numpy as np
import torch

from models.evaluation.labelling.choose import choose
from models.evaluation.labelling.looks import Floats, looks_of
from models.training.real import RealDocument, read_real
from serve_app.domain.document import Page
from serve_app.domain.labels import OUTSIDE, TAGS, UNKNOWN, Label
from serve_app.domain.reading_order import group_lines

_FIRST, _MORE = 30, (50, 100)
_FIELDS = (Label.SELLER, Label.INVOICE_NUMBER, Label.ISSUE_DATE, Label.DUE_DATE, Label.TOTAL, Label.TAX)
_STEPS, _RATE = 30, 0.1
_HASHED, _WIDTH = 2**14, 14
"""Weights of the tagger for each tag, and features of a word."""
_NOTHING = TAGS.index(OUTSIDE)


@dataclass(frozen=True)
class Prepared:
    """A document, with the features of its words, their tags (-1: unknown), and how many fields it prints."""

    document: RealDocument

    @cached_property
    def features(self) -> torch.Tensor:
        rows = [row for page in self.document.document.pages for row in _features(page)]
        return torch.tensor(rows or np.zeros((0, _WIDTH))).long()

    @cached_property
    def tags(self) -> list[int]:
        return [-1 if tag == UNKNOWN else TAGS.index(tag) for page in self.document.tags for tag in page]

    @cached_property
    def fields(self) -> int:
        return len({f"B-{label}" for label in _FIELDS} & {tag for page in self.document.tags for tag in page})


@dataclass(frozen=True)
class Inbox:
    """Documents, which of them are labelled (indexes), which are not, and what is random in this repeat."""

    documents: Sequence[Prepared]
    looks: Floats
    first: list[int]
    left: list[int]
    rng: np.random.Generator

    def at_random(self, count: int) -> list[int]:
        """Drawn."""
        return [int(index) for index in self.rng.permutation(self.left)[:count]]

    def doubtful(self, count: int) -> list[int]:
        """Those whose words have the lowest margins between their first and second tags."""
        tagger = _fitted([self.documents[index] for index in self.first])
        return sorted(self.left, key=lambda index: _margin(tagger, self.documents[index]))[:count]

    def chosen(self, count: int) -> list[int]:
        """As `invoices label-next` does."""
        return [self.left[each.index] for each in choose(self.looks[self.left], count, self.looks[self.first])[0]]


Measured = dict[tuple[str, int], tuple[float, float, int]]
"""For each way and number of documents: the right fields in the rest of the inbox and of other issuers, in percent, and
how many issuers have a labelled document."""
WAYS: Mapping[str, Callable[[Inbox, int], list[int]]] = {
    "random": Inbox.at_random, "doubtful": Inbox.doubtful, "label-next": Inbox.chosen
}  # fmt: skip


def main() -> None:
    """Print the share of right fields after each way to choose, and what it gains, with 95 % intervals."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--real", type=Path, required=True, help="a folder of labelled documents")
    parser.add_argument("--repeats", type=int, default=20)
    options = parser.parse_args()
    torch.set_num_threads(1)
    inbox, held = (_prepared(options.real, split) for split in ("train", "validation"))
    print(f"{len(inbox)} documents in the inbox, {len(held)} of other issuers")
    looks = np.stack([looks_of(each.document.document) for each in inbox])
    repeats = [_repeat(number, inbox, looks, held) for number in range(options.repeats)]
    for (way, more), name, share, gain, half in _gains(repeats):
        print(f"{way:11} {more:4} {name:14} {share:6.1f} {gain:+6.1f} ± {half:.1f}")


def _gains(repeats: Sequence[Measured]) -> Iterator[tuple[tuple[str, int], str, float, float, float]]:
    """For each way, number of documents and measure: its mean, what it is more than at random, and half of the 95 %
    interval of that."""
    for way, more in repeats[0]:
        shares = np.array([each[way, more] for each in repeats])
        gained = shares - np.array([each["random", more] for each in repeats])
        half = 1.96 * gained.std(0, ddof=1) / len(gained) ** 0.5
        for place, name in enumerate(("inbox", "other issuers", "issuers known")):
            yield (way, more), name, shares.mean(0)[place], gained.mean(0)[place], half[place]


def _prepared(folder: Path, split: str) -> list[Prepared]:
    """The invoices and receipts with a field."""
    found = [Prepared(each) for each in read_real(folder, split) if each.document_type != "other"]  # type: ignore[arg-type]
    return [each for each in found if each.fields]


def _repeat(number: int, documents: Sequence[Prepared], looks: Floats, held: Sequence[Prepared]) -> Measured:
    """All ways, from the same first documents."""
    rng = np.random.default_rng(number)
    first = [int(index) for index in rng.choice(len(documents), _FIRST, replace=False)]
    left = sorted(set(range(len(documents))) - set(first))
    found = {}
    for more in _MORE:
        for way, pick in WAYS.items():
            inbox = Inbox(documents, looks, first, left, np.random.default_rng(1000 + number))
            labelled = {*first, *pick(inbox, more)}
            tagger = _fitted([documents[index] for index in sorted(labelled)])
            rest = [document for index, document in enumerate(documents) if index not in labelled]
            issuers = {documents[index].document.issuer for index in labelled}
            found[way, more] = _right(tagger, rest), _right(tagger, held), len(issuers)
    return found


def _features(page: Page) -> Iterator[list[int]]:
    """The hashed features of each word: its text and shape, its place, and its neighbours."""
    texts = [word.text.casefold() for word in page.words]
    shapes = ["".join("9" if char.isdigit() else "a" if char.isalpha() else char for char in text) for text in texts]
    heads = {word: texts[line[0]] for line in group_lines([word.box for word in page.words]) for word in line}
    for index, word in enumerate(page.words):
        x, y, shape = int(word.box.x_center * 6), int(word.box.y_center * 12), shapes[index]
        own = [texts[index], shape, texts[index][:3], texts[index][-3:]]
        place = [f"{x}", f"{y}", f"{x},{y},{shape}", heads[index], heads[index] + shape]
        around = [texts[index + step] if 0 <= index + step < len(texts) else "" for step in (-2, -1, 1)]
        near = [*around, shapes[index - 1] if index else "", around[1] + shape]
        yield [crc32(f"{number}{text}".encode()) % _HASHED for number, text in enumerate([*own, *place, *near])]


def _fitted(documents: Sequence[Prepared]) -> torch.nn.EmbeddingBag:
    features = torch.cat([each.features for each in documents])
    tags = torch.tensor([tag for each in documents for tag in each.tags])
    known = tags >= 0
    torch.manual_seed(0)
    tagger = torch.nn.EmbeddingBag(_HASHED, len(TAGS), mode="sum")
    torch.nn.init.zeros_(tagger.weight)
    optimiser = torch.optim.Adam(tagger.parameters(), lr=_RATE)
    for _ in range(_STEPS):
        optimiser.zero_grad()
        torch.nn.functional.cross_entropy(tagger(features[known]), tags[known]).backward()  # type: ignore[no-untyped-call]
        optimiser.step()
    return tagger


@torch.inference_mode()
def _chances(tagger: torch.nn.EmbeddingBag, document: Prepared) -> Floats:
    found: Floats = torch.softmax(tagger(document.features), 1).numpy()
    return found


def _margin(tagger: torch.nn.EmbeddingBag, document: Prepared) -> float:
    """The mean of all words that have a label; 0 if none has one."""
    chances = _chances(tagger, document)
    ranked = np.sort(chances[chances.argmax(1) != _NOTHING], 1)
    return float((ranked[:, -1] - ranked[:, -2]).mean()) if len(ranked) else 0.0


def _right(tagger: torch.nn.EmbeddingBag, documents: Sequence[Prepared]) -> float:
    """The share of fields that are right, in percent."""
    right = 0
    for each in documents:
        chances = _chances(tagger, each)
        best = chances.argmax(1).tolist()
        for label in _FIELDS:
            begin, inside = TAGS.index(f"B-{label}"), TAGS.index(f"I-{label}")
            start = int(chances[:, begin].argmax())
            right += (start, _end(best, start, inside)) in set(_spans(each.tags, begin, inside))
    return 100 * right / max(1, sum(each.fields for each in documents))


def _spans(tags: Sequence[int], begin: int, inside: int) -> Iterator[tuple[int, int]]:
    return ((start, _end(tags, start, inside)) for start, tag in enumerate(tags) if tag == begin)


def _end(tags: Sequence[int], start: int, inside: int) -> int:
    end = start + 1
    while end < len(tags) and tags[end] == inside:
        end += 1
    return end


if __name__ == "__main__":
    main()
