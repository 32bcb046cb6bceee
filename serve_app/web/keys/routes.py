"""API keys: list, create, roll, revoke."""

from typing import Annotated, Any

from fastapi import APIRouter, Form
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from serve_app.domain.account import ApiKey, Scope
from serve_app.domain.clock import utc_now
from serve_app.domain.errors import InvalidParameter
from serve_app.web.changes import record
from serve_app.web.keys.view import OVERLAPS, SCOPES, last_use_in_words, rows_of
from serve_app.web.links import own_address
from serve_app.web.pages import page, redirect
from serve_app.web.query_parameters import one_of, require_id
from serve_app.web.visitor import AnyServices, FreshOwner, Owner, Visitor

router = APIRouter()

LIST = "/app/keys"
Text = Annotated[str, Form()]


@router.get("/keys")
async def list_keys(request: Request, services: AnyServices, visitor: Owner) -> HTMLResponse:
    """The account's keys."""
    await services.callers.uses.flush()
    keys = await services.accounts.list_keys(visitor.account.id)
    return page(request, visitor, "keys/list.html", rows=rows_of(keys, utc_now()), scopes=SCOPES)


@router.get("/keys/new")
async def ask_for_key(request: Request, visitor: FreshOwner) -> HTMLResponse:
    """The form for a new key."""
    return _form(request, visitor)


@router.post("/keys/new")
async def create_key(
    request: Request,
    services: AnyServices,
    visitor: FreshOwner,
    name: Text = "",
    scope: Text = "full",
    mode: Text = "live",
) -> Response:
    """Create a key, and show it this once."""
    try:
        requested = one_of(Scope, scope) or Scope.FULL
        key, raw = await services.accounts.create_key(visitor.account.id, name, requested, livemode=mode != "test")
    except InvalidParameter as error:
        return _form(request, visitor, 400, name=name, scope=scope, mode=mode, problem=error.message)
    await record(services, visitor, "key.created", key.name, scope=key.scope, prefix=key.prefix)
    return _made(request, services, visitor, key, raw)


@router.get("/keys/{id}/roll")
async def ask_to_roll(request: Request, services: AnyServices, visitor: FreshOwner, id: str) -> HTMLResponse:
    """The question until when the old key works."""
    key = await services.accounts.get_key(visitor.account.id, require_id(id))
    return page(request, visitor, "keys/roll.html", key=key, use=last_use_in_words(key, utc_now().date()))


@router.post("/keys/{id}/roll")
async def roll_key(
    request: Request, services: AnyServices, visitor: FreshOwner, id: str, overlap: Text = "24"
) -> Response:
    """Create the key that takes this one's place, and show it this once."""
    old = await services.accounts.get_key(visitor.account.id, require_id(id))
    if overlap not in OVERLAPS:
        raise InvalidParameter("Choose when the old key expires.")
    try:
        key, raw = await services.accounts.roll_key(visitor.account.id, old.id, OVERLAPS[overlap])
    except InvalidParameter as error:
        return redirect(LIST, error.message)
    await record(services, visitor, "key.rolled", key.name, prefix=key.prefix, old=old.prefix, hours=overlap)
    return _made(request, services, visitor, key, raw, old=await services.accounts.get_key(visitor.account.id, old.id))


@router.get("/keys/{id}/revoke")
async def ask_to_revoke(request: Request, services: AnyServices, visitor: FreshOwner, id: str) -> HTMLResponse:
    """The question whether the key may be revoked, with its last use."""
    await services.callers.uses.flush()
    key = await services.accounts.get_key(visitor.account.id, require_id(id))
    return page(request, visitor, "keys/revoke.html", key=key, use=last_use_in_words(key, utc_now().date()))


@router.post("/keys/{id}/revoke")
async def revoke_key(services: AnyServices, visitor: FreshOwner, id: str) -> Response:
    """Refuse the key from now on."""
    key = await services.accounts.get_key(visitor.account.id, require_id(id))
    if not await services.accounts.revoke_key(visitor.account.id, key.id):
        return redirect(LIST, f"{key.name} is already revoked.")
    await record(services, visitor, "key.revoked", key.name, prefix=key.prefix)
    return redirect(LIST, f"{key.name} was revoked.")


def _form(request: Request, visitor: Visitor, status: int = 200, **values: Any) -> HTMLResponse:
    known = {"name": "", "scope": str(Scope.FULL), "mode": "live", "problem": "", "scopes": SCOPES} | values
    return page(request, visitor, "keys/new.html", status, **known)


def _made(
    request: Request, services: AnyServices, visitor: Visitor, key: ApiKey, raw: str, old: ApiKey | None = None
) -> HTMLResponse:
    address = own_address(request, services.settings)
    return page(
        request, visitor, "keys/made.html", key=key, raw=raw, old=old, address=address, is_read=key.scope is Scope.READ
    )
