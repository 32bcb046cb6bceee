"""The visitor's own page: accounts, and browsers that are signed in."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Form
from starlette.requests import Request
from starlette.responses import Response

from serve_app.web.changes import record
from serve_app.web.cookies import SESSION, drop_cookie
from serve_app.web.devices.view import device_of
from serve_app.web.local_paths import START
from serve_app.web.pages import page, redirect
from serve_app.web.visitor import AnyPerson, AnyServices

router = APIRouter()

_HERE = "/app/devices"


@router.get("/devices")
async def show_devices(request: Request, services: AnyServices, visitor: AnyPerson) -> Response:
    """Where the visitor belongs, and which browsers are signed in."""
    sessions = await services.people.sessions.devices(visitor.person.id)
    places = await services.people.members.places_of(visitor.person.id)
    return page(
        request,
        visitor,
        "devices/devices.html",
        devices=[device_of(session, visitor.session) for session in sessions],
        places=places,
    )


@router.post("/devices/name")
async def rename(services: AnyServices, visitor: AnyPerson, name: Annotated[str, Form()] = "") -> Response:
    """Changes what the visitor is called."""
    await services.people.members.rename(visitor.person, name)
    return redirect(_HERE, "Your name was changed.")


@router.post("/devices/end")
async def end_device(services: AnyServices, visitor: AnyPerson, session: Annotated[UUID, Form()]) -> Response:
    """Sign out one browser."""
    if await services.people.sessions.end(visitor.person.id, session):
        await record(services, visitor, "session.ended", visitor.person.email)
    return redirect(_HERE, "The browser was signed out.")


@router.post("/devices/end-all")
async def end_all_devices(services: AnyServices, visitor: AnyPerson) -> Response:
    """Sign out everywhere, here as well."""
    ended = await services.people.sessions.end_all(visitor.person.id)
    await record(services, visitor, "session.ended_everywhere", visitor.person.email, browsers=ended)
    response = redirect("/app/sign-in", "You are signed out everywhere.")
    drop_cookie(response, SESSION)
    return response


@router.post("/devices/account")
async def switch_account(services: AnyServices, visitor: AnyPerson, account: Annotated[UUID, Form()]) -> Response:
    """Look at another account. 404 if the visitor does not belong to it."""
    await services.people.sessions.switch(visitor.session, account)
    return redirect(START)
