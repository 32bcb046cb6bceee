"""Find where a page prints a generated text."""

from dataclasses import dataclass

from rapidfuzz.fuzz import ratio

from serve_app.domain.document import Page

# Below this similarity (0 to 1, by edits without gaps), a run of words is a different text.
LEAST_SIMILARITY = 0.8


@dataclass(frozen=True, slots=True)
class Found:
    """Words of the page, in reading order, and how similar (0 to 1) they are to the text."""

    words: tuple[int, ...]
    similarity: float


class Locator:
    """Finds texts among the words of one page, each word once.

    Models write in reading order: of equally similar places, the first after the previous match is taken.
    """

    def __init__(self, page: Page) -> None:
        self._words = [_normal(word.text) for word in page.words]
        self._used = [False] * len(self._words)
        self._position = 0

    def find(self, text: str) -> Found | None:
        """The run of unused words most similar to the text; None if none is similar enough."""
        wanted, count = _normal("".join(text.split())), len(text.split())
        best: tuple[float, bool, int, int] | None = None
        # A reader may split words differently from the model.
        for size in range(max(1, count - 2), count + 3):
            for first in range(len(self._words) - size + 1):
                if any(self._used[first : first + size]):
                    continue
                alike = ratio(wanted, "".join(self._words[first : first + size]), score_cutoff=100 * LEAST_SIMILARITY)
                key = (round(alike / 100, 6), first >= self._position, -first, -size)
                if alike and (best is None or key > best):
                    best = key
        return self._take(best) if best else None

    def _take(self, best: tuple[float, bool, int, int]) -> Found:
        similarity, _, first, size = best[0], best[1], -best[2], -best[3]
        words = tuple(range(first, first + size))
        for word in words:
            self._used[word] = True
        self._position = first + size
        return Found(words, similarity)


def _normal(text: str) -> str:
    return text.casefold()
