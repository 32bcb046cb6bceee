"""Assembles the API."""

from functools import cache, partial

from fastapi import FastAPI

from serve_app.api import (
    approvals,
    coding,
    docs,
    error_docs,
    events,
    exports,
    files,
    health,
    index,
    invoices,
    mails,
    me,
    own_fields,
    purchase_orders,
    quality,
    reviews,
    vendors,
    webhook_endpoints,
)
from serve_app.api.compat import aws, azure, mindee
from serve_app.api.deprecation import DeprecationHeaders
from serve_app.api.error_handlers import add_error_handlers
from serve_app.api.mail_in import routes as mail_in
from serve_app.api.middleware import AnswerFaults, RateHeaders, RequestId
from serve_app.api.openapi import describe
from serve_app.api.operator import routes as operator
from serve_app.api.websockets import RefuseWebSockets
from serve_app.http.body_limit import BodyLimit
from serve_app.http.caching import CacheControl
from serve_app.http.client_address import ClientAddress
from serve_app.http.head import Head
from serve_app.services.bundle import Services


def create_api(services: Services | None = None) -> FastAPI:
    """The ASGI application. To create it before the services exist, omit `services` and set `app.state.services` before
    the first request."""
    app = FastAPI(
        title="Invoice extraction",
        version="1.0.0",
        openapi_url="/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        # Method names in clients generated from the OpenAPI document.
        generate_unique_id_function=lambda route: route.name,
    )
    app.state.services = services
    resources = (
        *(invoices, files, reviews, coding, quality, approvals, vendors, purchase_orders, own_fields, events),
        webhook_endpoints,
        *(mails, exports, me),
    )
    for module in (*resources, index, health, error_docs, docs, mail_in, aws, azure, mindee):
        app.include_router(module.router)
    # Accounts' clients are generated from the document, and never call these.
    app.include_router(operator.router, include_in_schema=False)
    add_error_handlers(app)
    document = cache(partial(describe, app))
    # The framework calls this to serve `/v1/openapi.json`.
    app.openapi = document  # type: ignore[method-assign]
    # The middleware added last is the outermost.
    for middleware in (
        RefuseWebSockets,
        BodyLimit,
        AnswerFaults,
        RateHeaders,
        DeprecationHeaders,
        Head,
        CacheControl,
        RequestId,
        ClientAddress,
    ):
        app.add_middleware(middleware)
    return app
