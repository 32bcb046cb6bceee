"""Choose the next training document: a generated one or a real one."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from random import Random

from models.training.labelled import Labelled, LabelledDocument
from models.training.real import RealDocument, read_real
from models.training.variation import Names, varied


@dataclass(frozen=True, slots=True)
class RealShare:
    """A folder of real documents and the share of training documents drawn from it; `issuers` is the part (0 to 1) of
    its issuers that are used, the others are left aside."""

    folder: Path
    share: float
    issuers: float = 1.0

    @classmethod
    def parse(cls, text: str) -> "RealShare":
        """`DIR` or `DIR:SHARE`; ValueError for a share that is not a number from 0 to 1."""
        folder, _, share = text.rpartition(":")
        if not folder:
            return cls(Path(text), DEFAULT_SHARE)
        if not 0 <= float(share) <= 1:
            raise ValueError(f"{share} is not between 0 and 1")
        return cls(Path(folder), float(share))


DEFAULT_SHARE = 0.25


class RealDraw:
    """Draws from the training split of a folder.

    First a source, by the square root of its number of issuers; then an issuer; then one of its documents. So a source
    with many documents of few layouts, or an issuer with many documents, does not crowd out the others.
    """

    def __init__(self, documents: Sequence[RealDocument]) -> None:
        by_source: dict[str, dict[str, list[RealDocument]]] = defaultdict(lambda: defaultdict(list))
        for document in documents:
            by_source[document.source][document.issuer].append(document)
        self._sources = [list(issuers.values()) for _, issuers in sorted(by_source.items())]
        self._weights = [sqrt(len(issuers)) for issuers in self._sources]
        self._names = Names.of((document.issuer, document) for document in documents)

    def draw(self, rng: Random) -> RealDocument:
        (issuers,) = rng.choices(self._sources, self._weights)
        return rng.choice(rng.choice(issuers))

    def varied(self, rng: Random) -> LabelledDocument:
        """A document with names of others, and other changes."""
        return varied(self.draw(rng), rng, self._names)


def of_part(documents: Sequence[RealDocument], part: float) -> list[RealDocument]:
    """The documents of a part (0 to 1) of the issuers of each source, by a hash of their names: a larger part contains
    the smaller ones."""
    return [document for document in documents if Random(f"part/{document.issuer}").random() < part]


class Mixture:
    """The document of a seed: always the same one, so that training can be resumed."""

    def __init__(self, generate: Callable[[int], Labelled], shares: Sequence[RealShare]) -> None:
        self._generate = generate
        self._draws = [RealDraw(of_part(read_real(each.folder, "train"), each.issuers)) for each in shares]
        self._shares = [each.share for each in shares]
        if sum(self._shares) > 1:
            raise ValueError("the shares of real documents add up to more than 1")

    def __call__(self, seed: int) -> Labelled:
        rng = Random(f"mixture/{seed}")
        generated = 1 - sum(self._shares)
        (draw,) = rng.choices([None, *self._draws], [generated, *self._shares])
        return self._generate(seed) if draw is None else draw.varied(rng)
