"""Word lists from text files: one `key: a | b | c` per line."""

from functools import cache
from itertools import accumulate
from pathlib import Path
from random import Random

from models.training.generator.core.profile import Profile

ROOT = Path(__file__).parent.parent
LANGUAGES = tuple(sorted(path.stem for path in (ROOT / "wordings").glob("*.txt")))
Lists = dict[str, tuple[str, ...]]


@cache
def load(folder: str, name: str) -> Lists:
    """The lists of one file, e.g. `load("wordings", "de")`."""
    lists: Lists = {}
    for line in (ROOT / folder / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        key, _, values = line.partition(": ")
        if values:
            lists[key] = tuple(value.strip() for value in values.split("|") if value.strip())
    return lists


class Wording:
    """The words of one language, weighted by profile."""

    def __init__(self, language: str, profile: Profile) -> None:
        self.language = language
        self.lists = load("wordings", language)
        self._profile = profile
        self._weighted: dict[str, tuple[tuple[str, ...], list[float]]] = {}

    def pick(self, key: str, rng: Random) -> str:
        """One of the synonyms of `key`."""
        if key not in self._weighted:
            self._weighted[key] = self._weigh(key)
        words, cumulated = self._weighted[key]
        return rng.choices(words, cum_weights=cumulated)[0]

    def _weigh(self, key: str) -> tuple[tuple[str, ...], list[float]]:
        words = self.lists[key]
        if len(words) > 4:
            words = tuple(word for word in words if not self._profile.skips(self.language, key, word)) or words
        return words, list(accumulate(self._profile.weight(self.language, key, word) for word in words))


@cache
def wording(language: str, profile: Profile) -> Wording:
    return Wording(language, profile)
