"""What one model says about a document: for every word, how likely each label is."""

from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from serve_app.domain.document import Document
from serve_app.domain.labels import Label
from serve_app.domain.model_identity import ModelIdentity
from serve_app.domain.usage import NOTHING_SPENT, ComputeTime


@dataclass(frozen=True, slots=True)
class StatedValue:
    """A value that a model gave as text, and how likely (0 to 1) it finds it.

    `words` are those of the page at that place, in reading order; empty if no place is like it. `is_printed`: they
    print this value. Otherwise they print a similar one, which the model contradicts.
    """

    label: Label
    text: str
    probability: float
    words: tuple[int, ...] = ()
    is_printed: bool = False


@dataclass(frozen=True, slots=True)
class PageReading:
    """Probabilities of one page, float32, shape (words, tags): tags in the order of `Reading.tags`. `stated` are the
    values that the model gave as text, if it is a model that does."""

    scores: npt.NDArray[np.float32]
    stated: tuple[StatedValue, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """One model's reading of a document; `pages` runs parallel to `Document.pages`. It took `seconds` of the
    model's time; 0 if not measured. `sha256` identifies the model. `spent` is what it took of the machine."""

    revision: str
    tags: tuple[str, ...]
    pages: tuple[PageReading, ...]
    seconds: float = field(default=0.0, compare=False)
    sha256: str = ""
    spent: ComputeTime = field(default=NOTHING_SPENT, compare=False)

    @property
    def model(self) -> ModelIdentity:
        """The model that read."""
        return ModelIdentity(self.revision, self.sha256)

    def section(self, first: int, last: int) -> "Reading":
        """What the reading says about the pages from `first` to `last` (1-based, inclusive)."""
        return replace(self, pages=self.pages[first - 1 : last])

    def check_against(self, document: Document) -> None:
        """Raises ValueError unless the reading has one row for every word of the document."""
        expected = [len(page.words) for page in document.pages]
        found = [len(page.scores) for page in self.pages]
        if expected != found:
            raise ValueError(f"reading covers {found} words a page, the document has {expected}")
