"""Query parameters that are given more than once."""

from collections.abc import Iterator
from typing import get_args, get_origin

from fastapi import Request
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from serve_app.domain.errors import InvalidParameter


def refuse_repeated(request: Request) -> None:
    """Raise InvalidParameter for a known query parameter of one value that is given more than once: which of them is
    meant is unknown."""
    given = [name for name, _ in request.query_params.multi_items()]
    if len(given) == len(set(given)):
        return
    route: APIRoute = request.scope["route"]
    known = set(_names_in(route.dependant))
    repeated = next((name for name in given if name in known and given.count(name) > 1), None)
    if repeated is not None:
        raise InvalidParameter(f"{repeated}: send it only once.", repeated)


def _names_in(dependant: Dependant) -> Iterator[str]:
    yield from (field.alias for field in dependant.query_params if not _is_list(field.field_info.annotation))
    for dependency in dependant.dependencies:
        yield from _names_in(dependency)


def _is_list(annotation: object) -> bool:
    """Whether it takes several values, whether they are separated by commas or sent one by one."""
    return get_origin(annotation) is tuple or any(_is_list(part) for part in get_args(annotation))
