"""Where a template puts which amount: learned from unambiguous amounts, used for ambiguous ones."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from models.training.templates.find_values import Sheet, Spot
from serve_app.domain.labels import Label

# A place counts if at least this many amounts taught it and this share of them agree.
_LEAST, _SHARE = 2, 0.85
_CAPTION_WORDS = 6
# Half of a two-line caption is at most this far above or below its amount, in heights of the amount.
_BESIDE = 0.8


@dataclass(slots=True)
class Places:
    """Roles by caption for the sums, the order of columns for the rows; of one template."""

    captions: dict[str, Counter[Label]] = field(default_factory=lambda: defaultdict(Counter))
    columns: Counter[Label] = field(default_factory=Counter)
    before: Counter[tuple[Label, Label]] = field(default_factory=Counter)

    def learn_caption(self, caption: str, label: Label) -> None:
        self.captions[caption][label] += 1

    def learn_row(self, row: Sequence[Label]) -> None:
        """The labels of a row from left to right, all certain. A row with a duplicate teaches nothing."""
        if len(set(row)) == len(row):
            self.columns.update(row)
            self.before.update((left, right) for i, left in enumerate(row) for right in row[i + 1 :])

    def role(self, caption: str, among: frozenset[Label]) -> Label | None:
        """The role that a caption stands for, if it is known and one of `among`."""
        votes = self.captions.get(caption)
        if not votes:
            return None
        label, count = votes.most_common(1)[0]
        return label if label in among and count >= max(_LEAST, _SHARE * votes.total()) else None

    def has_column(self, label: Label) -> bool:
        """Whether the template prints a column of this kind at all."""
        return self.columns[label] >= max(_LEAST, 0.1 * max(self.columns.values(), default=0))

    def in_order(self, labels: Sequence[Label]) -> bool:
        """Whether the template puts columns of these kinds in this order."""
        pairs = [(left, right) for i, left in enumerate(labels) for right in labels[i + 1 :]]
        return all(
            left is not right and self.before[left, right] >= max(_LEAST, 8 * self.before[right, left])
            for left, right in pairs
        )


def caption_of(sheet: Sheet, spot: Spot) -> str:
    """The words that say what an amount is: left of it, in one line or two; else above it. Without digits and signs."""
    box = spot.box
    left = [
        index
        for index, word in enumerate(sheet.page.words)
        if word.box.x1 <= box.x0 + 0.001 and abs(word.box.y_center - box.y_center) < _BESIDE * box.height
    ]
    words = [text for text in (_letters(sheet.texts[index]) for index in left) if text][-_CAPTION_WORDS:]
    if words:
        return " ".join(words)
    above = [
        index
        for index, word in enumerate(sheet.page.words)
        if -0.3 * box.height <= box.y0 - word.box.y1 < 3 * box.height and word.box.x0 < box.x1 and word.box.x1 > box.x0
    ]
    return "^" + " ".join(filter(None, (_letters(sheet.texts[index]) for index in above[-_CAPTION_WORDS:])))


def _letters(text: str) -> str:
    return "".join(char for char in text if char.isalpha())
