"""Assembles the web application."""

from fastapi import FastAPI
from starlette.responses import RedirectResponse

from serve_app.web.account import routes as account
from serve_app.web.approvals import routes as approvals
from serve_app.web.audit import routes as audit
from serve_app.web.chart import routes as chart
from serve_app.web.cookies import CookiesOverHttp
from serve_app.web.deliveries import routes as deliveries
from serve_app.web.devices import routes as devices
from serve_app.web.error_pages import add_error_pages
from serve_app.web.events import routes as events
from serve_app.web.export import routes as export
from serve_app.web.exports import routes as exports
from serve_app.web.exports import schedules as export_schedules
from serve_app.web.find import routes as find
from serve_app.web.invoice import comments as invoice_comments
from serve_app.web.invoice import routes as invoice
from serve_app.web.invoices import routes as invoices
from serve_app.web.invoices import saved_views
from serve_app.web.keys import routes as keys
from serve_app.web.mail import addresses as mail_addresses
from serve_app.web.mail import links as mail_links
from serve_app.web.mail import routes as mail
from serve_app.web.mail import testing as mail_tests
from serve_app.web.operator import accounts as operator_accounts
from serve_app.web.operator import folders as operator_folders
from serve_app.web.operator import mail as operator_mail
from serve_app.web.operator import models as operator_models
from serve_app.web.operator import routes as operator
from serve_app.web.orders import routes as orders
from serve_app.web.own_fields import routes as own_fields
from serve_app.web.people import routes as people
from serve_app.web.quality import routes as quality
from serve_app.web.quick_start import routes as quick_start
from serve_app.web.requests import routes as requests
from serve_app.web.review import answers as review_answers
from serve_app.web.review import cuts, queue
from serve_app.web.review import routes as review
from serve_app.web.security import PageHeaders, RefuseForgeries
from serve_app.web.send import routes as send
from serve_app.web.signing_in import oidc
from serve_app.web.signing_in import routes as signing_in
from serve_app.web.start import routes as start
from serve_app.web.static import digest, static_files
from serve_app.web.vendors import routes as vendors
from serve_app.web.webhooks import pairs as webhook_pairs
from serve_app.web.webhooks import routes as webhooks
from serve_app.web.webhooks import testing as webhook_tests

ROUTERS = (
    start.router,
    find.router,
    send.router,
    invoices.router,
    # Before one invoice: an id would match its path, too.
    saved_views.router,
    invoice.router,
    invoice_comments.router,
    queue.router,
    review.router,
    review_answers.router,
    cuts.router,
    chart.router,
    own_fields.router,
    quality.router,
    export.router,
    # Before the exports, whose ids would match its path.
    export_schedules.router,
    exports.router,
    # Before the mails: an id would match their paths, too.
    mail_addresses.router,
    mail_tests.router,
    mail.router,
    mail_links.router,
    vendors.router,
    orders.router,
    approvals.router,
    events.router,
    quick_start.router,
    keys.router,
    webhooks.router,
    webhook_tests.router,
    webhook_pairs.router,
    deliveries.router,
    account.router,
    people.router,
    operator.router,
    operator_accounts.router,
    operator_folders.router,
    operator_mail.router,
    operator_models.router,
    audit.router,
    devices.router,
    signing_in.router,
    oidc.router,
    requests.router,
)
"""The routers of the screens, in the order of the menu."""


START = "/app/"


def mount_web(app: FastAPI) -> None:
    """Mount the web application below `/app`, and lead there from `/`."""
    app.mount("/app/", _create_web(app))
    for path in ("/", "/app"):
        app.add_api_route(path, _lead_to_start, include_in_schema=False)


async def _lead_to_start() -> RedirectResponse:
    return RedirectResponse(START, 303)


def _create_web(app: FastAPI) -> FastAPI:
    """An application of its own, because its errors are pages; it shares the `state` of `app`."""
    web = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False)
    web.state = app.state
    for router in ROUTERS:
        web.include_router(router)
    # Reads the files now rather than on the event loop.
    digest()
    web.mount("/static", static_files)
    add_error_pages(web)
    # The middleware added last is the outermost.
    for middleware in (RefuseForgeries, PageHeaders, CookiesOverHttp):
        web.add_middleware(middleware)
    return web
