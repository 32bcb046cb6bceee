"""`/v1/operator`: accounts, their keys, usage and plans, for programs of operators."""

from collections.abc import AsyncIterator
from functools import cache
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query, Request
from fastapi.openapi.utils import get_openapi
from starlette.responses import JSONResponse, Response, StreamingResponse

from serve_app.api.documented import REPEATABLE, headers_of, operator_errors_with, success
from serve_app.api.idempotency import REPLAYED
from serve_app.api.openapi import drop_framework_errors, move_definitions, operations_of
from serve_app.api.operator.access import (
    AccountId,
    AnyOperator,
    KeyId,
    OperatorIdempotencyKey,
    OperatorRoute,
    WritingOperator,
)
from serve_app.api.operator.resources import (
    AmendAccountBody,
    LimitsBody,
    NewAccountBody,
    NewKeyBody,
    OperatorAccount,
    OperatorAccountList,
    OperatorApiKey,
    OperatorApiKeyList,
    OperatorApiKeyWithSecret,
    OperatorPlan,
    OperatorPlanList,
    OperatorUsage,
    OperatorUsageList,
)
from serve_app.api.property_examples import add_property_texts
from serve_app.domain.account import USUAL_LIMITS, Account
from serve_app.domain.audit import Actor, actor_of_operator_key
from serve_app.domain.errors import AccountNotFound, ApiKeyNotFound, InvalidParameter
from serve_app.domain.idempotency import StoredAnswer
from serve_app.domain.livemode import is_live
from serve_app.domain.operator_key import OperatorKey
from serve_app.http.answers import json_answer, list_answer
from serve_app.http.bodies import read_body, schema_of
from serve_app.http.dependencies import AnyServices
from serve_app.http.error_table import RETRY_SECONDS
from serve_app.http.parameters import Identifier, Limit
from serve_app.services.accounts.usage_rows import USAGE_COLUMNS, csv_text, usage_row
from serve_app.services.bundle import Services

router = APIRouter(prefix="/v1/operator", tags=["operators"], route_class=OperatorRoute)

_SECRET_HEADERS = {"Cache-Control": "no-store"}
_WRITE_ERRORS = ("invalid_body", "invalid_parameter", "insufficient_scope")
_PAGE = 500
"""Accounts that are read at once for a file of all usage."""
DELETION_SECONDS = 20.0
"""How long a call waits for the deletion of an account."""
Confirm = Annotated[Identifier, Query(description="The id of the account again.")]
Months = Annotated[int, Query(ge=1, le=120, description="Number of months, up to the present one.")]
After = Annotated[Identifier | None, Query(description="Only accounts after this one.")]


@router.get("/accounts", response_model=OperatorAccountList, responses=operator_errors_with("invalid_parameter"))
async def list_accounts(
    services: AnyServices, _key: AnyOperator, limit: Limit = 25, starting_after: After = None
) -> Response:
    """List the accounts of the deployment, newest first."""
    accounts, has_more = await _page(services, limit, starting_after)
    return list_answer([_json(account) for account in accounts], has_more)


@router.post(
    "/accounts",
    status_code=201,
    response_model=OperatorAccount,
    response_description="Created.",
    responses={
        **success(201, headers=("Location", "Idempotency-Replayed")),
        **operator_errors_with(*_WRITE_ERRORS, *REPEATABLE),
    },
    openapi_extra=schema_of(NewAccountBody, {"plan": "pro", "email": "owner@example.com"}),
)
async def create_account(
    request: Request, services: AnyServices, key: WritingOperator, idempotency_key: OperatorIdempotencyKey
) -> Response:
    """Create an account. It has no key yet."""
    body = await read_body(request, NewAccountBody)
    limits = USUAL_LIMITS.changed(body.limits.changes)

    async def create(account_id: UUID | None = None) -> Account:
        return await services.account_changes.create(_actor(key), body.plan, body.email, limits, account_id)

    if idempotency_key is None:
        given, is_replay = _created(await create()), False
    else:
        given, is_replay = await services.accounts_once.create(
            key.id, idempotency_key, body.fingerprint, create, _created
        )
    location = f"/v1/operator/accounts/{OperatorAccount.model_validate_json(given.body).id}"
    return json_answer(given.body, given.status, {"Location": location} | (REPLAYED if is_replay else {}))


@router.get("/accounts/{id}", response_model=OperatorAccount, responses=operator_errors_with("account_not_found"))
async def get_account(services: AnyServices, account_id: AccountId) -> Response:
    """One account, with its limits."""
    return json_answer(_json(await _account(services, account_id)))


@router.patch(
    "/accounts/{id}",
    response_model=OperatorAccount,
    responses={**success(), **operator_errors_with(*_WRITE_ERRORS, "account_not_found")},
    openapi_extra=schema_of(AmendAccountBody, {"plan": "pro", "limits": {"running": 4}}),
)
async def amend_account(
    request: Request, services: AnyServices, key: WritingOperator, account_id: AccountId
) -> Response:
    """Change plan, address or limits, suspend or resume. It applies to the account's next request."""
    body = await read_body(request, AmendAccountBody)
    await _account(services, account_id)
    return json_answer(_json(await services.account_changes.amend(_actor(key), account_id, body.amendment())))


@router.delete(
    "/accounts/{id}",
    status_code=204,
    response_description="The account is gone.",
    responses={
        **success(204),
        202: {
            "description": "The account refuses everything, and is being deleted.",
            "headers": headers_of(retry=True),
        },
        **operator_errors_with("invalid_parameter", "insufficient_scope", "account_not_found", "account_kept"),
    },
)
async def delete_account(
    services: AnyServices, key: WritingOperator, account_id: AccountId, confirm: Confirm
) -> Response:
    """Delete the account permanently, with its documents, keys, people and all other data. Repeat the call after a 202;
    404 then says that the account is gone."""
    if confirm != account_id:
        raise InvalidParameter("confirm: repeat the id of the account, which is deleted permanently.", "confirm")
    if not is_live(account_id):
        raise AccountNotFound
    try:
        is_gone = await services.account_deletion.is_deleted_within(_actor(key), account_id, DELETION_SECONDS)
    except LookupError:
        raise AccountNotFound from None
    if is_gone:
        return Response(status_code=204)
    return Response(status_code=202, headers={"Retry-After": str(RETRY_SECONDS)})


@router.get(
    "/accounts/{id}/keys", response_model=OperatorApiKeyList, responses=operator_errors_with("account_not_found")
)
async def list_account_keys(services: AnyServices, account_id: AccountId) -> Response:
    """List the account's API keys, newest first, including revoked ones and those of test mode."""
    await _account(services, account_id)
    keys = await services.accounts.list_keys(account_id)
    return list_answer([OperatorApiKey.of(each).model_dump_json() for each in keys], has_more=False)


@router.post(
    "/accounts/{id}/keys",
    status_code=201,
    response_model=OperatorApiKeyWithSecret,
    response_description="Created. No later response contains the key.",
    responses={**success(201), **operator_errors_with(*_WRITE_ERRORS, "account_not_found")},
    openapi_extra=schema_of(NewKeyBody, {"name": "ERP", "scope": "full"}),
)
async def create_account_key(
    request: Request, services: AnyServices, key: WritingOperator, account_id: AccountId
) -> Response:
    """Create an API key. A repeated call creates another one: the service does not keep keys that it could answer
    again."""
    body = await read_body(request, NewKeyBody)
    await _account(services, account_id)
    made, raw = await services.account_changes.create_key(
        _actor(key), account_id, body.name, body.scope, livemode=body.livemode
    )
    return json_answer(OperatorApiKeyWithSecret.with_raw(made, raw).model_dump_json(), 201, _SECRET_HEADERS)


@router.delete(
    "/accounts/{id}/keys/{key_id}",
    status_code=204,
    response_description="The key is revoked.",
    responses={
        **success(204),
        **operator_errors_with("insufficient_scope", "account_not_found", "api_key_not_found"),
    },
)
async def revoke_account_key(
    services: AnyServices, key: WritingOperator, account_id: AccountId, key_id: KeyId
) -> Response:
    """Revoke an API key: it is refused from now on. It stays in the list."""
    await _account(services, account_id)
    try:
        await services.account_changes.revoke_key(_actor(key), account_id, key_id)
    except LookupError:
        raise ApiKeyNotFound from None
    return Response(status_code=204)


@router.get(
    "/usage", response_model=OperatorUsageList, responses=operator_errors_with("invalid_parameter", "account_not_found")
)
async def list_usage(
    services: AnyServices,
    _key: AnyOperator,
    months: Months = 1,
    account: Annotated[Identifier | None, Query(description="Only this account.")] = None,
    limit: Limit = 25,
    starting_after: After = None,
) -> Response:
    """List what accounts used by month (UTC), newest account first. `limit` counts accounts."""
    if account is None:
        accounts, has_more = await _page(services, limit, starting_after)
    else:
        accounts, has_more = [await _account(services, account)], False
    items = [
        OperatorUsage.of(each.id, used, services.usage.prices.currency).model_dump_json()
        for each in accounts
        for used in await services.usage.with_readings(each.id, months)
    ]
    return list_answer(items, has_more)


@router.get(
    "/usage.csv",
    response_class=Response,
    response_description="With a header line, newest account first, months without use included.",
    responses={200: {"content": {"text/csv": {}}}, **operator_errors_with("invalid_parameter")},
)
async def download_usage(services: AnyServices, _key: AnyOperator, months: Months = 1) -> Response:
    """The same of all accounts, as CSV."""
    headers = {"Content-Disposition": 'attachment; filename="usage.csv"'}
    return StreamingResponse(_usage_lines(services, months), media_type="text/csv", headers=headers)


@router.get("/plans", response_model=OperatorPlanList, responses=operator_errors_with())
async def list_plans(services: AnyServices, _key: AnyOperator) -> Response:
    """List all plans: the contract's, then those of operators by name."""
    plans = await services.plans.list_all()
    return list_answer([OperatorPlan.of(plan).model_dump_json() for plan in plans], has_more=False)


@router.put(
    "/plans/{name}",
    response_model=OperatorPlan,
    responses={**success(), **operator_errors_with(*_WRITE_ERRORS)},
    openapi_extra=schema_of(LimitsBody, {"documents_per_month": 50, "running": 2}),
)
async def set_plan(request: Request, services: AnyServices, key: WritingOperator, name: str) -> Response:
    """Add a plan, or replace its limits: those that are omitted have none. It applies to its accounts' next requests.
    The contract's plans cannot be changed."""
    body = await read_body(request, LimitsBody)
    plan = await services.account_changes.define_plan(_actor(key), name, USUAL_LIMITS.changed(body.changes))
    return json_answer(OperatorPlan.of(plan).model_dump_json())


@router.delete(
    "/plans/{name}",
    status_code=204,
    response_description="The plan was removed.",
    responses={**success(204), **operator_errors_with("invalid_parameter", "insufficient_scope")},
)
async def remove_plan(services: AnyServices, key: WritingOperator, name: str) -> Response:
    """Remove a plan that no account has."""
    await services.account_changes.remove_plan(_actor(key), name)
    return Response(status_code=204)


@router.get("/openapi.json", include_in_schema=False)
async def send_document() -> JSONResponse:
    """The OpenAPI document of this API. The document for accounts leaves it out."""
    return JSONResponse(describe_operator_api())


@cache
def describe_operator_api() -> dict[str, Any]:
    """The OpenAPI document."""
    document: dict[str, Any] = get_openapi(
        title="Invoice extraction: operators",
        version="1.0.0",
        description="Send `Authorization: Bearer <operator key>` with every request. Errors have the envelope of the "
        "accounts' API.",
        routes=router.routes,
    )
    schemas = document["components"]["schemas"]
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    document["components"]["securitySchemes"] = {"operator": {"type": "http", "scheme": "bearer"}}
    document["security"] = [{"operator": []}]
    for operation in operations_of(document["paths"]):
        drop_framework_errors(operation)
        move_definitions(operation, schemas)
    add_property_texts(document)
    return document


async def _usage_lines(services: Services, months: int) -> AsyncIterator[str]:
    yield csv_text([USAGE_COLUMNS])
    after, has_more = None, True
    while has_more:
        page = await services.accounts.list_accounts(_PAGE, after)
        for account in page.items:
            used = await services.usage.with_readings(account.id, months)
            yield csv_text(usage_row(account.id, month) for month in used)
            after = account.id
        has_more = page.has_more


async def _page(services: Services, limit: int, after: UUID | None) -> tuple[list[Account], bool]:
    """Raises InvalidParameter if there is no account `after`."""
    if after is not None:
        try:
            await _account(services, after)
        except AccountNotFound:
            raise InvalidParameter("starting_after: there is no account with this id.", "starting_after") from None
    page = await services.accounts.list_accounts(limit, after)
    return list(page.items), page.has_more


async def _account(services: Services, account_id: UUID) -> Account:
    """The account; that of test mode is a part of it, and has no place of its own. Raises AccountNotFound."""
    try:
        account = await services.accounts.get_account(account_id)
    except LookupError:
        raise AccountNotFound from None
    if not account.is_live:
        raise AccountNotFound
    return account


def _created(account: Account) -> StoredAnswer:
    return StoredAnswer(201, _json(account))


def _json(account: Account) -> str:
    return OperatorAccount.of(account).model_dump_json()


def _actor(key: OperatorKey) -> Actor:
    return actor_of_operator_key(key.name)
