"""`/v1/quality`."""

from fastapi import APIRouter
from starlette.responses import Response

from serve_app.api.documented import IF_NONE_MATCH, errors_with, tagged
from serve_app.domain.quality_answer import QualityAnswer
from serve_app.http.answers import json_answer
from serve_app.http.dependencies import AnyCaller, AnyServices
from serve_app.services.review.quality_answer import quality_answer

router = APIRouter(prefix="/v1/quality", tags=["reviews"])


@router.get(
    "",
    response_model=QualityAnswer,
    responses={**tagged(), **errors_with("query_timeout")},
    openapi_extra=IF_NONE_MATCH,
)
async def get_quality(services: AnyServices, caller: AnyCaller) -> Response:
    """The accuracy of the confidence levels on the account's reviewed invoices."""
    quality = await services.quality.measure(caller.account.id)
    target = services.targets.of(caller.account)
    return json_answer(quality_answer(quality, target).model_dump_json())
