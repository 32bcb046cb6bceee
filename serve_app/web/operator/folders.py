"""Watched folders of the deployment, for its operators."""

from typing import Annotated

from fastapi import APIRouter, Form
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from serve_app.domain.audit import actor_of
from serve_app.domain.user_error import UserError
from serve_app.domain.watched_folder import WatchedFolder
from serve_app.services.bundle import Services
from serve_app.web.pages import page, redirect
from serve_app.web.query_parameters import require_id
from serve_app.web.visitor import AnyServices, FreshOperator, Operator, OperatorAlone, Visitor

router = APIRouter()

FOLDERS = "/app/operator/folders"
Text = Annotated[str, Form()]


@router.get("/operator/folders")
async def list_folders(request: Request, services: AnyServices, visitor: Operator) -> HTMLResponse:
    """The folders of all accounts with their files and problems."""
    return await _list(request, services, visitor)


@router.post("/operator/folders")
async def add_folder(
    request: Request, services: AnyServices, visitor: FreshOperator, place: Text = "", account: Text = ""
) -> Response:
    """Watch a folder below the allowed places."""
    try:
        target = await services.accounts.get_account(require_id(account.strip()))
        added = await services.folders.add_allowed(target.id, place.strip())
    except (UserError, LookupError) as error:
        problem = str(error) if isinstance(error, UserError) else "There is no account with this id"
        return await _list(request, services, visitor, 400, place=place, account=account, problem=f"{problem}.")
    await _record(services, visitor, "folder.added", added)
    return redirect(FOLDERS, "The folder is watched.")


@router.post("/operator/folders/{id}/pause")
async def pause_folder(services: AnyServices, visitor: FreshOperator, id: str) -> Response:
    """Leave its files where they are."""
    await _record(services, visitor, "folder.paused", await services.folders.set_paused(require_id(id), True))
    return redirect(FOLDERS, "The folder is paused.")


@router.post("/operator/folders/{id}/resume")
async def resume_folder(services: AnyServices, visitor: FreshOperator, id: str) -> Response:
    """Watch it again."""
    await _record(services, visitor, "folder.resumed", await services.folders.set_paused(require_id(id), False))
    return redirect(FOLDERS, "The folder is watched.")


@router.get("/operator/folders/{id}/remove")
async def ask_to_remove(request: Request, services: AnyServices, visitor: FreshOperator, id: str) -> HTMLResponse:
    """The question whether it may be removed."""
    return page(request, visitor, "operator/remove_folder.html", folder=await services.folders.get(require_id(id)))


@router.post("/operator/folders/{id}/remove")
async def remove_folder(services: AnyServices, visitor: FreshOperator, id: str) -> Response:
    """Watch it no longer."""
    await _record(services, visitor, "folder.removed", await services.folders.remove(require_id(id)))
    return redirect(FOLDERS, "The folder was removed.")


async def _record(services: Services, visitor: Visitor | OperatorAlone, action: str, folder: WatchedFolder) -> None:
    """In the trails of the deployment and of the account."""
    for trail in (None, folder.account_id):
        await services.people.audit.record(actor_of(visitor.person), trail, action, folder.place)


async def _list(
    request: Request,
    services: Services,
    visitor: Visitor | OperatorAlone,
    status: int = 200,
    *,
    place: str = "",
    account: str = "",
    problem: str = "",
) -> HTMLResponse:
    return page(
        request,
        visitor,
        "operator/folders.html",
        status,
        folders=await services.folders.list_all(),
        allowed=services.folders.allowed,
        place=place,
        account=account,
        problem=problem,
    )
