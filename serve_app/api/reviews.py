"""`/v1/invoices/{id}/review`, and the pages that a reviewer looks at."""

from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from serve_app.api.documented import IF_NONE_MATCH, PICTURE, errors_with, success, tagged
from serve_app.domain.audit import actor_of_key
from serve_app.domain.errors import PartNotFound
from serve_app.domain.review_answer import PageAnswer, ReviewAnswer
from serve_app.http.answers import PictureAnswer, json_answer
from serve_app.http.bodies import read_body, schema_of
from serve_app.http.dependencies import AnyCaller, AnyServices, InvoiceId, Writer
from serve_app.http.own_address import own_address
from serve_app.http.review_body import ReviewBody

router = APIRouter(prefix="/v1/invoices", tags=["reviews"])


@router.get(
    "/{id}/review",
    response_model=ReviewAnswer,
    responses={**tagged(), **errors_with("invoice_not_found")},
    openapi_extra=IF_NONE_MATCH,
)
async def get_review(invoice_id: InvoiceId, services: AnyServices, caller: AnyCaller) -> Response:
    """The extracted values, the corrections and the evidence for a review."""
    review = await services.reviews.get(caller.account.id, invoice_id)
    return json_answer(review.model_dump_json())


@router.put(
    "/{id}/review",
    response_model=ReviewAnswer,
    responses={
        **success(),
        **errors_with(
            *("invalid_body", "invalid_parameter", "invoice_not_complete", "insufficient_scope"),
            *("invoice_not_found", "review_changed", "invoice_exported"),
        ),
    },
    openapi_extra=schema_of(
        ReviewBody, {"revision": 0, "fields": {"amount": {"value": "119.00"}}, "status": "confirmed"}
    ),
)
async def change_review(request: Request, caller: Writer, invoice_id: InvoiceId, services: AnyServices) -> Response:
    """Correct fields of a complete invoice, confirm it, or reject it. Omitted values stay."""
    body = await read_body(request, ReviewBody)
    actor = actor_of_key(caller.key.name)
    review = await services.reviews.change(caller.account.id, invoice_id, body.revision, body.change(), actor)
    return json_answer(review.model_dump_json())


PageNumber = Annotated[str, Path(description="From 1.", json_schema_extra={"pattern": "^[1-9][0-9]{0,5}$"})]


@router.get(
    "/{id}/pages/{n}",
    response_model=PageAnswer,
    responses={**tagged(), **errors_with("invoice_not_found", "part_unavailable")},
    openapi_extra=IF_NONE_MATCH,
)
async def get_page(
    request: Request, invoice_id: InvoiceId, n: PageNumber, services: AnyServices, caller: AnyCaller
) -> Response:
    """A page of the invoice: its words and the URL of its picture."""
    number = _number(n)
    picture = f"{own_address(request, services.settings)}/v1/invoices/{invoice_id}/pages/{number}/picture"
    page = await services.reviews.page(caller.account.id, invoice_id, number, picture)
    return json_answer(page.model_dump_json())


@router.get(
    "/{id}/pages/{n}/picture",
    response_class=Response,
    responses={**PICTURE, **errors_with("invoice_not_found", "part_unavailable", "document_removed")},
    openapi_extra=IF_NONE_MATCH,
)
async def get_picture(invoice_id: InvoiceId, n: PageNumber, services: AnyServices, caller: AnyCaller) -> Response:
    """A page of the invoice as a JPEG."""
    picture = await services.pictures.get(caller.account.id, invoice_id, _number(n))
    return PictureAnswer(picture)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 6):
        raise PartNotFound
    return int(text)
