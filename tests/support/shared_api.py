"""The application of the tests of one process: building its routes takes longer than most of them."""

from functools import cache

from fastapi import FastAPI
from starlette.routing import Mount

from actors.application import create_application
from serve_app.services.bundle import Services


def api_of(services: Services) -> FastAPI:
    """The application, which answers with these services from now on."""
    app = _shared()
    app.state.services = services
    mounted = [route.app for route in app.routes if isinstance(route, Mount)]
    for each in (app, *mounted):
        if isinstance(each, FastAPI):
            each.dependency_overrides.clear()
    return app


@cache
def _shared() -> FastAPI:
    return create_application()
