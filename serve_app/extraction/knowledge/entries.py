"""What the files of knowledge are made of."""

from collections.abc import Iterable
from typing import Annotated, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, StringConstraints


def _without_repeats(words: object) -> object:
    if isinstance(words, list) and (repeated := {word for word in words if words.count(word) > 1}):
        raise ValueError(f"listed twice: {repeated}")
    return words


Words = Annotated[frozenset[Annotated[str, StringConstraints(min_length=1)]], BeforeValidator(_without_repeats)]
NONE: frozenset[str] = frozenset()


class Entry(BaseModel):
    """A part of a file; an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class WordLists(Entry):
    """Lists of words by their use."""

    @classmethod
    def union(cls, parts: Iterable[Self]) -> Self:
        """The words of several languages together."""
        parts = list(parts)
        return cls.model_validate(
            {use: NONE.union(*(getattr(part, use) for part in parts)) for use in cls.model_fields}
        )
