"""The files of a run, each made from the run's seed and its own number alone."""

import random
from dataclasses import dataclass

from benchmarks.fuzz import hostile_pages, hostile_pdfs
from benchmarks.fuzz.mutations import mutated
from benchmarks.fuzz.seeds import seeds

# How often a kind is damaged, in parts of a thousand. Reading pictures costs most: there are fewer.
_DAMAGED = {"pdf": 420, "scan": 60, "png": 100, "jpeg": 80, "heic": 20, "html": 120, "xml": 20}
_HOSTILE = {"pdf": 90, "png": 20, "jpeg": 15, "heic": 5, "html": 25, "html, references": 25}


@dataclass(frozen=True, slots=True)
class FuzzFile:
    """`kind` is what it began as, or what it is made to attack."""

    number: int
    kind: str
    data: bytes


class Files:
    """Makes file number N of a run; `canary` is an address that nothing may call."""

    def __init__(self, seed: int, canary: str) -> None:
        self._seed = seed
        self._canary = canary
        self._seeds = seeds()

    def make(self, number: int) -> FuzzFile:
        chance = random.Random(f"{self._seed}:{number}")  # noqa: S311 - variety, not secrecy
        kinds = [(kind, False) for kind in _DAMAGED] + [(kind, True) for kind in _HOSTILE]
        kind, hostile = chance.choices(kinds, [*_DAMAGED.values(), *_HOSTILE.values()])[0]
        if hostile:
            return FuzzFile(number, f"{kind}, hostile", self._hostile(chance, kind))
        return FuzzFile(number, f"{kind}, damaged", self._damaged(chance, kind))

    def _hostile(self, chance: random.Random, kind: str) -> bytes:
        maker = chance.choice(hostile_pdfs.MAKERS) if kind == "pdf" else hostile_pages.MAKERS[kind]
        return maker(chance, self._canary)

    def _damaged(self, chance: random.Random, kind: str) -> bytes:
        own, other = chance.choice(self._seeds[kind]), chance.choice([*self._seeds.values()])[0]
        return mutated(chance, own, other)
