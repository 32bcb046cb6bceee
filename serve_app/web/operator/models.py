"""Which models are served, and what candidates among them do."""

from collections.abc import Mapping
from dataclasses import dataclass

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse

from serve_app.domain.comparison import Comparison, Right
from serve_app.domain.errors import InvalidParameter
from serve_app.domain.sequential_test import ALARM, ENOUGH
from serve_app.services.candidates.service import Differences
from serve_app.web.formats import Formats, formats_of
from serve_app.web.pages import page
from serve_app.web.quality.view import percent
from serve_app.web.visitor import AnyServices, Operator

router = APIRouter()

EXAMPLES = 20
EARLIER = 5


@dataclass(frozen=True, slots=True)
class ChangedField:
    """A field that the candidate read differently: how often, in how many percent, and who was right how often."""

    name: str
    times: int
    share: str
    right: Mapping[str, int]
    unknown: int


@dataclass(frozen=True, slots=True)
class Example:
    """An invoice on which the pairs differ. `is_own`: it belongs to the account in which the visitor works, so the
    values are shown; operators see nothing of other accounts' documents."""

    comparison: Comparison
    is_own: bool


@router.get("/operator/models")
async def show_models(request: Request, services: AnyServices, visitor: Operator, candidate: str = "") -> HTMLResponse:
    """What is served, the canary with its evidence, and what changes by field."""
    names = await services.candidates.names()
    if candidate and candidate not in names:
        raise InvalidParameter("No model pair with this name read anything in the last 30 days.")
    found = await services.candidates.differences(candidate or names[0], EXAMPLES) if names else None
    canaries = await services.candidates.newest(1 + EARLIER)
    canary = canaries[0] if canaries else None
    account_id = None if visitor.account is None else visitor.account.id
    return page(
        request,
        visitor,
        "operator/models.html",
        models=await services.deployment.models(),
        canary=canary,
        earlier=canaries[1:],
        evidence=None if canary is None else await services.candidates.evidence(canary),
        alarm=ALARM,
        enough=ENOUGH,
        names=names,
        found=found,
        rows=[] if found is None else _rows(found, formats_of(request.headers.get("accept-language", ""))),
        examples=[] if found is None else [Example(each, each.account_id == account_id) for each in found.examples],
    )


def _rows(found: Differences, formats: Formats) -> list[ChangedField]:
    return [
        ChangedField(
            name.replace("_", " "),
            changed.times,
            percent(changed.times / found.compared, formats),
            {str(who): changed.right.get(who, 0) for who in Right},
            changed.times - sum(changed.right.values()),
        )
        for name, changed in found.changed.items()
    ]
