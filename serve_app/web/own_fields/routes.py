"""Own fields: what an account adds to its invoices, and how well each is found."""

from collections.abc import Mapping

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from serve_app.domain.errors import InvalidParameter, OwnFieldNotFound
from serve_app.domain.own_field import MAX_LABEL, OwnField, OwnFieldScope, OwnFieldType, name_from
from serve_app.web.api_calls import curl_of
from serve_app.web.pages import page, redirect
from serve_app.web.query_parameters import one_of
from serve_app.web.visitor import AnyServices, AnyVisitor, Owner, Visitor

router = APIRouter(prefix="/fields")

OWN_FIELDS = "/app/fields"
_NO_TEXTS: Mapping[str, str] = dict.fromkeys(("label", "type", "scope", "choices", "captions", "required"), "")


@router.get("")
async def show_fields(request: Request, services: AnyServices, visitor: AnyVisitor) -> HTMLResponse:
    """The fields, and a form for another one."""
    return await _page(request, services, visitor)


@router.post("")
async def add_field(request: Request, services: AnyServices, visitor: Owner) -> Response:
    """Add a field; its name is made of its label."""
    texts = {name: str(value).strip() for name, value in (await request.form()).items()}
    try:
        name = name_from(texts.get("label", ""))
        if any(each.name == name for each in await services.own_fields.list_all(visitor.account.id)):
            raise InvalidParameter("label: there is a field with this label.")
        await services.own_fields.put(visitor.account.id, _field_in(name, texts), visitor.actor)
    except InvalidParameter as error:
        problem = error.message.partition(": ")[2]
        return await _page(request, services, visitor, 422, texts=texts, problem=problem[:1].upper() + problem[1:])
    return redirect(OWN_FIELDS, "The field was added. Enter its value on two or three invoices.")


@router.get("/{name}/delete")
async def ask_to_delete(request: Request, services: AnyServices, visitor: Owner, name: str) -> Response:
    """The question whether it may be removed."""
    try:
        field = await services.own_fields.get(visitor.account.id, name)
    except OwnFieldNotFound as error:
        return redirect(OWN_FIELDS, error.message)
    return page(request, visitor, "own_fields/delete.html", field=field)


@router.post("/{name}/delete")
async def delete_field(services: AnyServices, visitor: Owner, name: str) -> Response:
    """Remove a field."""
    try:
        await services.own_fields.remove(visitor.account.id, name, visitor.actor)
    except OwnFieldNotFound as error:
        return redirect(OWN_FIELDS, error.message)
    return redirect(OWN_FIELDS, "The field was removed.")


def _field_in(name: str, texts: Mapping[str, str]) -> OwnField:
    """Raises InvalidParameter for an unknown type."""
    if texts.get("type") not in set(OwnFieldType):
        raise InvalidParameter("type: choose a type.")
    return OwnField(
        name=name,
        label=texts["label"],
        type=OwnFieldType(texts["type"]),
        scope=one_of(OwnFieldScope, texts.get("scope", "")) or OwnFieldScope.HEADER,
        choices=_lines(texts.get("choices", "")),
        captions=_lines(texts.get("captions", "")),
        required="required" in texts,
    )


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


async def _page(
    request: Request,
    services: AnyServices,
    visitor: Visitor,
    status: int = 200,
    *,
    texts: Mapping[str, str] = _NO_TEXTS,
    problem: str = "",
) -> HTMLResponse:
    return page(
        request,
        visitor,
        "own_fields/list.html",
        status,
        fields=await services.own_fields.list_all(visitor.account.id),
        proofs=await services.own_finder.proofs(visitor.account.id),
        types=list(OwnFieldType),
        scopes=list(OwnFieldScope),
        longest=MAX_LABEL,
        texts={**_NO_TEXTS, **texts},
        problem=problem,
        call=curl_of(request, services.settings, "/v1/fields"),
    )
