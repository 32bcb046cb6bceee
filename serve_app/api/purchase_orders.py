"""`/v1/purchase-orders`: what an account has ordered."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from serve_app.api.documented import IF_NONE_MATCH, REPEATABLE, errors_with, success, tagged
from serve_app.api.idempotency import REPLAYED, IdempotencyKey
from serve_app.api.purchase_order_resources import (
    AmendOrderBody,
    NewOrderBody,
    OrderRulesBody,
    PurchaseOrder,
    PurchaseOrderList,
    PurchaseOrderRules,
    ReceiveBody,
    order_answer,
    rules_answer,
)
from serve_app.domain import purchase_order
from serve_app.domain.account import Caller
from serve_app.domain.audit import Actor, actor_of_key
from serve_app.domain.errors import PurchaseOrderNotFound
from serve_app.domain.idempotency import StoredAnswer
from serve_app.domain.purchase_order import OrderQuery, OrderStatus
from serve_app.http.answers import json_answer, list_answer
from serve_app.http.bodies import read_body, schema_of
from serve_app.http.dependencies import AnyCaller, AnyServices, Writer, id_in_path
from serve_app.http.parameters import Identifier, Limit
from serve_app.services.bundle import Services
from serve_app.services.orders.once import MakeOrder, OrderRequest

router = APIRouter(tags=["orders"])

_PATH = "/v1/purchase-orders"
_RULES = "/v1/order-rules"

_WRITE_ERRORS = ("insufficient_scope", "purchase_order_not_found")
_EXAMPLE_LINE: dict[str, object] = {"description": "Oak desk", "sku": "D-100", "quantity": 10, "unit_price": 25.0}
_EXAMPLE: dict[str, object] = {
    **{"number": "PO-1001", "vendor": "Norvik Supplies GmbH", "currency": "EUR"},
    "lines": [_EXAMPLE_LINE],
}


OrderId = Annotated[UUID, Depends(id_in_path(PurchaseOrderNotFound))]


@router.post(
    _PATH,
    status_code=201,
    response_model=PurchaseOrder,
    response_description="Kept.",
    responses={
        **success(201, headers=("Location", "Idempotency-Replayed")),
        **errors_with("invalid_body", "invalid_parameter", "insufficient_scope", *REPEATABLE),
    },
    openapi_extra=schema_of(NewOrderBody, _EXAMPLE),
)
async def create_purchase_order(
    request: Request, caller: Writer, services: AnyServices, key: IdempotencyKey
) -> Response:
    """Keep an order. Invoices that named it before are compared with it."""
    body = await read_body(request, NewOrderBody)
    asked = OrderRequest(caller.account.id, "create", None, body.fingerprint, key)

    async def create(order_id: UUID, change_id: UUID | None) -> purchase_order.PurchaseOrder:
        return await services.orders.create(caller.account.id, body.draft(), _actor(caller), order_id, change_id)

    return await _make_once(services, asked, create, 201)


@router.get(
    _PATH,
    response_model=PurchaseOrderList,
    responses={**tagged(), **errors_with("invalid_parameter", "query_timeout")},
    openapi_extra=IF_NONE_MATCH,
)
async def list_purchase_orders(
    services: AnyServices,
    caller: AnyCaller,
    limit: Limit = 25,
    status: Annotated[OrderStatus | None, Query(description="Only `open` or only `closed` orders.")] = None,
    number: Annotated[str | None, Query(max_length=255, description="The number, however it is spaced.")] = None,
    vendor: Annotated[str | None, Query(max_length=255, description="The vendor's whole name.")] = None,
    starting_after: Annotated[Identifier | None, Query(description="Only orders after this one.")] = None,
) -> Response:
    """The account's orders, newest first."""
    query = OrderQuery(status, number, vendor)
    page = await services.orders.page(caller.account.id, query, limit, starting_after)
    answers = [await _answer(services, order) for order in page.items]
    return list_answer([answer.body for answer in answers], page.has_more)


@router.get(
    _RULES, response_model=PurchaseOrderRules, responses={**tagged(), **errors_with()}, openapi_extra=IF_NONE_MATCH
)
async def get_order_rules(caller: AnyCaller, services: AnyServices) -> Response:
    """How far invoices may differ from their orders."""
    rules = await services.orders.rules(caller.account.id)
    return json_answer(rules_answer(rules).model_dump_json())


@router.put(
    _RULES,
    response_model=PurchaseOrderRules,
    responses={**success(), **errors_with("invalid_body", "insufficient_scope")},
    openapi_extra=schema_of(OrderRulesBody, {"price_percent": 2.0, "amount": 0.05}),
)
async def set_order_rules(request: Request, caller: Writer, services: AnyServices) -> Response:
    """Replace the tolerances. They apply to invoices that are compared from now on."""
    body = await read_body(request, OrderRulesBody)
    rules = await services.orders.set_rules(caller.account.id, body.rules(), _actor(caller))
    return json_answer(rules_answer(rules).model_dump_json())


@router.get(
    f"{_PATH}/{{id}}",
    response_model=PurchaseOrder,
    responses={**tagged(), **errors_with("purchase_order_not_found")},
    openapi_extra=IF_NONE_MATCH,
)
async def get_purchase_order(order_id: OrderId, caller: AnyCaller, services: AnyServices) -> Response:
    """One order, with what is billed and what is open."""
    answer = await _answer(services, await services.orders.get(caller.account.id, order_id))
    return json_answer(answer.body)


@router.patch(
    f"{_PATH}/{{id}}",
    response_model=PurchaseOrder,
    responses={**success(), **errors_with("invalid_body", "invalid_parameter", *_WRITE_ERRORS)},
    openapi_extra=schema_of(AmendOrderBody, {"status": "closed"}),
)
async def amend_purchase_order(request: Request, caller: Writer, order_id: OrderId, services: AnyServices) -> Response:
    """Change an order. Invoices that bill it and that nobody has decided on are compared again."""
    body = await read_body(request, AmendOrderBody)
    order = await services.orders.amend(caller.account.id, order_id, body.over, _actor(caller))
    return json_answer((await _answer(services, order)).body)


@router.post(
    f"{_PATH}/{{id}}/receive",
    response_model=PurchaseOrder,
    responses={
        **success(headers=("Idempotency-Replayed",)),
        **errors_with("invalid_body", "invalid_parameter", *_WRITE_ERRORS, *REPEATABLE),
    },
    openapi_extra=schema_of(ReceiveBody, {"lines": [{"position": 1, "quantity": 4}]}),
)
async def receive_purchase_order(
    request: Request, caller: Writer, order_id: OrderId, services: AnyServices, key: IdempotencyKey
) -> Response:
    """Add goods that have arrived. From then on, the lines are matched three ways."""
    body = await read_body(request, ReceiveBody)
    asked = OrderRequest(caller.account.id, "receive", order_id, body.fingerprint, key)

    async def receive(id: UUID, change_id: UUID | None) -> purchase_order.PurchaseOrder:
        return await services.orders.receive(caller.account.id, id, body.quantities(), _actor(caller), change_id)

    return await _make_once(services, asked, receive, 200)


@router.delete(
    f"{_PATH}/{{id}}",
    status_code=204,
    response_description="The order was deleted.",
    responses={**success(204), **errors_with(*_WRITE_ERRORS)},
)
async def delete_purchase_order(caller: Writer, order_id: OrderId, services: AnyServices) -> Response:
    """Delete an order. Invoices keep what was found when they were compared with it."""
    await services.orders.remove(caller.account.id, order_id, _actor(caller))
    return Response(status_code=204)


async def _make_once(services: Services, asked: OrderRequest, change: MakeOrder, status: int) -> Response:
    async def answer(order: purchase_order.PurchaseOrder) -> StoredAnswer:
        return await _answer(services, order, status)

    given, is_replay = await services.orders_once.make(asked, change, answer)
    headers = dict(REPLAYED) if is_replay else {}
    if status == 201:
        headers["Location"] = f"/v1/purchase-orders/{PurchaseOrder.model_validate_json(given.body).id}"
    return json_answer(given.body, given.status, headers)


async def _answer(services: Services, order: purchase_order.PurchaseOrder, status: int = 200) -> StoredAnswer:
    billed = await services.orders.billed(order)
    return StoredAnswer(status, order_answer(order, billed).model_dump_json())


def _actor(caller: Caller) -> Actor:
    return actor_of_key(caller.key.name)
