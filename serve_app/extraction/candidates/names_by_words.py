"""The names of a document by the words that they begin with."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from serve_app.extraction.candidates.candidate import Place

Words = tuple[str, ...]


class NamesByWords:
    """Finds which names go on where others end, without comparing each with each."""

    def __init__(self, names: Mapping[Place, Words]) -> None:
        self._whole: dict[Words, list[Place]] = defaultdict(list)
        for place, words in names.items():
            self._whole[words].append(place)

    def begin(self, words: Words, place: Place) -> bool:
        """Whether a shorter name, at none of the words of a place, is the beginning of these words."""
        return any(_is_any_apart(self._whole.get(words[:end], ()), place) for end in range(1, len(words)))


def _is_any_apart(places: Iterable[Place], place: Place) -> bool:
    mine = set(place.words)
    return any(other.page != place.page or mine.isdisjoint(other.words) for other in places)
