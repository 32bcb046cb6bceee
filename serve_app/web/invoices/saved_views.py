"""Saving lists of invoices, renaming and deleting them."""

from urllib.parse import parse_qsl

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from serve_app.domain.errors import InvalidParameter
from serve_app.web.invoices.filters import read_filters
from serve_app.web.pages import page, redirect
from serve_app.web.query_parameters import require_id
from serve_app.web.visitor import AnyServices, AnyVisitor

router = APIRouter(prefix="/invoices/views")

_HERE = "/app/invoices/views"


@router.get("")
async def show_views(request: Request, services: AnyServices, visitor: AnyVisitor) -> Response:
    """The visitor's views, to be renamed or deleted."""
    views = await services.saved_views.list(visitor.account.id, visitor.person.id)
    return page(request, visitor, "invoices/saved_views.html", views=views)


@router.post("")
async def save_view(request: Request, services: AnyServices, visitor: AnyVisitor) -> Response:
    """Saves the list whose state the form carries."""
    form = await request.form()
    filters = read_filters(parse_qsl(str(form.get("state", ""))[:2000]))
    try:
        view = await services.saved_views.save(
            visitor.account.id, visitor.person.id, str(form.get("name", "")), filters.state()
        )
    except InvalidParameter as error:
        return redirect(filters.path(), error.message)
    return redirect(filters.path(), f"The view “{view.name}” was saved. Only you can see it.")


@router.post("/{id}/rename")
async def rename_view(request: Request, id: str, services: AnyServices, visitor: AnyVisitor) -> Response:
    """Gives a view another name."""
    name = str((await request.form()).get("name", ""))
    try:
        await services.saved_views.rename(visitor.account.id, visitor.person.id, require_id(id), name)
    except InvalidParameter as error:
        return redirect(_HERE, error.message)
    return redirect(_HERE, "The view was renamed.")


@router.post("/{id}/delete")
async def delete_view(id: str, services: AnyServices, visitor: AnyVisitor) -> Response:
    """Deletes a view; no invoice changes."""
    await services.saved_views.remove(visitor.account.id, visitor.person.id, require_id(id))
    return redirect(_HERE, "The view was deleted. The invoices are untouched.")
