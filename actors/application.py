"""What the Ingress serves: the API with the web application in it."""

from fastapi import FastAPI

from serve_app.api.app import create_api
from serve_app.services.bundle import Services
from serve_app.web.app import mount_web


def create_application(services: Services | None = None) -> FastAPI:
    """The ASGI application. To create it before the services exist, omit `services` and set `app.state.services` before
    the first request."""
    app = create_api(services)
    mount_web(app)
    return app
