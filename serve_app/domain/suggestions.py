"""What somebody most likely meant by a name that is not known."""

import re
import types
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

# Below this similarity (0 to 1) a known name is more likely another one than the one that was meant.
_LEAST_SIMILARITY = 0.7
_QUOTED = re.compile(r"'([^']*)'")


def nearest(name: str, known: Iterable[str], least: float = _LEAST_SIMILARITY) -> str | None:
    """The known name most like this one, if one is like it."""
    found = get_close_matches(name, sorted(known), n=1, cutoff=least)
    return found[0] if found else None


def suggestion(name: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: the nearest known one, or nothing."""
    found = nearest(name, known)
    return f" (did you mean {found}?)" if found else ""


def nearest_path(path: Path) -> str:
    """The end of a message about a path that does not exist: with the nearest name for the first part that is wrong."""
    for folder in [path, *path.parents]:
        if folder.parent.is_dir() and not folder.exists():
            names = [each.name for each in folder.parent.iterdir()]
            found = nearest(folder.name, names)
            return f" (did you mean {folder.parent / found}?)" if found else ""
    return ""


def described(error: ValidationError, model: type[BaseModel]) -> str:
    """The first problem of a configuration in one line, with the nearest known name for one that is not known."""
    problem = error.errors(include_url=False)[0]
    place = problem["loc"]
    written = ".".join(map(str, place))
    prefix = f"{written}: " if written else ""
    if problem["type"] == "extra_forbidden":
        return f"{prefix}unknown key{suggestion(str(place[-1]), _keys_at(model, place[:-1]))}"
    known = _QUOTED.findall(str(problem.get("ctx", {}).get("expected", "")))
    if problem["type"] in ("enum", "literal_error") and known:
        given = str(problem["input"])
        return f"{prefix}{given!r} is not one of {', '.join(known)}{suggestion(given, known)}"
    return prefix + problem["msg"].removeprefix("Value error, ")


def _keys_at(model: type[BaseModel], place: Sequence[int | str]) -> list[str]:
    """The keys that an object in this place of the model can have."""
    annotation: Any = model
    for part in place:
        found = _model_in(annotation)
        field = found.model_fields.get(str(part)) if found else None
        annotation = field.annotation if field else annotation
    found = _model_in(annotation)
    return list(found.model_fields) if found else []


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """The model that an annotation is, or contains."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    if get_origin(annotation) in (Union, types.UnionType, dict, list, tuple):
        return next((found for each in get_args(annotation) if (found := _model_in(each))), None)
    return None
