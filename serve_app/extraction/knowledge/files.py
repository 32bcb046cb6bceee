"""The files of `languages/` and `countries/`, checked and read once in a process."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TypeVar

import yaml
from pydantic import BaseModel

from serve_app.extraction.knowledge.country import Country
from serve_app.extraction.knowledge.language import Language

_FOLDER = Path(__file__).parent
SEVERAL = "mul"
"""The code of several languages in ISO 639-2: what belongs to none of them alone, such as "IBAN"."""
_Schema = TypeVar("_Schema", bound=BaseModel)


@cache
def languages() -> Mapping[str, Language]:
    """Each language by its code in CLDR, and `SEVERAL`."""
    return dict(_read("languages", Language))


@cache
def countries() -> Mapping[str, Country]:
    """Each country by its code in ISO 3166."""
    return dict(_read("countries", Country))


def words_of(listed: Callable[[Language], Iterable[str]]) -> frozenset[str]:
    """The words of all languages in one of their lists."""
    return frozenset(word for language in languages().values() for word in listed(language))


def _read(folder: str, schema: type[_Schema]) -> Iterator[tuple[str, _Schema]]:
    for path in sorted((_FOLDER / folder).glob("*.yaml")):
        # By the C library: in Python it takes ten times as long.
        content = yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader)
        yield path.stem, schema.model_validate(content)
