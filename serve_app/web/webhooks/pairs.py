"""Key pairs of webhook endpoints: adding, replacing and removing them."""

from enum import StrEnum

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from serve_app.domain.errors import InvalidParameter
from serve_app.services.bundle import Services
from serve_app.web.changes import record
from serve_app.web.pages import page, redirect
from serve_app.web.query_parameters import require_id
from serve_app.web.visitor import AnyServices, FreshOwner, Visitor

router = APIRouter()


class Act(StrEnum):
    """What can be done to a key pair that there is."""

    ROTATE = "rotate"
    REMOVE = "remove"


@router.post("/webhooks/{id}/key")
async def add_key(services: AnyServices, visitor: FreshOwner, id: str) -> Response:
    """Sign with a key pair as well."""
    await services.webhooks.endpoints.sign_with_key(visitor.account.id, require_id(id))
    await record(services, visitor, "webhook.key_added", id)
    return _back(id, "The key pair now also signs all webhooks.")


@router.get("/webhooks/{id}/key/{act}")
async def ask(request: Request, services: AnyServices, visitor: FreshOwner, id: str, act: Act) -> HTMLResponse:
    """The question whether to do it, with what it means to receivers."""
    endpoint = await services.webhooks.endpoints.get(visitor.account.id, require_id(id))
    return page(request, visitor, "webhooks/pair.html", endpoint=endpoint, act=act)


@router.post("/webhooks/{id}/key/{act}")
async def change_key(services: AnyServices, visitor: FreshOwner, id: str, act: Act) -> Response:
    """Make another key pair, or sign with the secret alone."""
    return await (_rotate if act is Act.ROTATE else _remove)(services, visitor, id)


async def _rotate(services: Services, visitor: Visitor, id: str) -> Response:
    try:
        await services.webhooks.endpoints.rotate_key(visitor.account.id, require_id(id))
    except InvalidParameter as error:
        return _back(id, error.message)
    await record(services, visitor, "webhook.key_rotated", id)
    return _back(id, "The new key pair was created. The old one also signs for 24 hours.")


async def _remove(services: Services, visitor: Visitor, id: str) -> Response:
    await services.webhooks.endpoints.sign_without_key(visitor.account.id, require_id(id))
    await record(services, visitor, "webhook.key_removed", id)
    return _back(id, "Only the secret signs webhooks now.")


def _back(id: str, message: str) -> Response:
    return redirect(f"/app/webhooks/{require_id(id)}#pair", message)
