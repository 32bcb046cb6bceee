"""What the ways in (API, web application, e-mail) need to do their work."""

from dataclasses import dataclass

from serve_app.services.authenticate import Authenticate
from serve_app.services.file_links import FileLinks
from serve_app.services.get_invoice import GetInvoice
from serve_app.services.me import DescribeCaller
from serve_app.services.rate_limit import RateLimit
from serve_app.services.submit import SubmitInvoice
from serve_app.services.wait import WaitForInvoice
from serve_app.settings import Settings
from serve_app.store.base import Connection


@dataclass(frozen=True, slots=True)
class Services:
    """The verbs of one process, built once by `serve_app.wiring`."""

    settings: Settings
    authenticate: Authenticate
    rate_limit: RateLimit
    submit: SubmitInvoice
    get_invoice: GetInvoice
    file_links: FileLinks
    wait: WaitForInvoice
    me: DescribeCaller
    health: Connection
