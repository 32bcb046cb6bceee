"""Responses whose JSON already exists as text."""

from collections.abc import Sequence

from starlette.responses import Response


def json_answer(body: str, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A response with this JSON."""
    return Response(body, status, headers, media_type="application/json")


def list_answer(items: Sequence[str], has_more: bool | None = None) -> Response:
    """The list envelope around these JSON texts; `has_more` is omitted if it is None."""
    more = "" if has_more is None else f',"has_more":{str(has_more).lower()}'
    return json_answer(f'{{"object":"list","data":[{",".join(items)}]{more}}}')
