"""`/v1/mails`: what came in by mail, and what each part of it came to."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Query
from starlette.responses import Response

from serve_app.api.documented import IF_NONE_MATCH, errors_with, tagged
from serve_app.api.mail_resources import Mail, MailList, ShownState, mail_answer
from serve_app.domain.errors import MailNotFound
from serve_app.domain.inbound_mail import HeldFor, MailQuery, MailState, Outcome
from serve_app.http.answers import json_answer, list_answer
from serve_app.http.dependencies import AnyCaller, AnyServices, id_in_path
from serve_app.http.parameters import Identifier, Limit

router = APIRouter(prefix="/v1/mails", tags=["mails"])


@router.get(
    "",
    response_model=MailList,
    responses={**tagged(), **errors_with("invalid_parameter", "query_timeout")},
    openapi_extra=IF_NONE_MATCH,
)
async def list_mails(
    services: AnyServices,
    caller: AnyCaller,
    limit: Limit = 25,
    state: Annotated[ShownState | None, Query(description="Only mails in this state.")] = None,
    held_for: Annotated[HeldFor | None, Query(description="Only held mails that wait for this.")] = None,
    outcome: Annotated[Outcome | None, Query(description="Only mails that have a part with this outcome.")] = None,
    starting_after: Annotated[Identifier | None, Query(description="Only mails after this one.")] = None,
) -> Response:
    """The account's mails, newest first."""
    query = MailQuery(None if state is None else MailState(state.value), held_for, outcome=outcome)
    page = await services.mailroom.mails.list_after(caller.account.id, query, limit, starting_after)
    return list_answer([mail_answer(mail).model_dump_json() for mail in page.items], page.has_more)


@router.get(
    "/{id}",
    response_model=Mail,
    responses={**tagged(), **errors_with("mail_not_found")},
    openapi_extra=IF_NONE_MATCH,
)
async def get_mail(
    mail_id: Annotated[UUID, Depends(id_in_path(MailNotFound))], caller: AnyCaller, services: AnyServices
) -> Response:
    """A mail with its parts."""
    mail = await services.mailroom.mails.get(caller.account.id, mail_id)
    return json_answer(mail_answer(mail).model_dump_json())
