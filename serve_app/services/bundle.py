"""The services that the entry points (API, web application, e-mail) need."""

from dataclasses import dataclass

from serve_app.services.accounts.authenticate import Authenticate
from serve_app.services.accounts.me import DescribeCaller
from serve_app.services.accounts.rate_limit import RateLimit
from serve_app.services.approval.service import Approvals
from serve_app.services.csv.export import ExportCsv
from serve_app.services.events.get_event import GetEvent
from serve_app.services.files.links import FileLinks
from serve_app.services.intake.create import CreateInvoice
from serve_app.services.intake.fetch_file import FetchFile
from serve_app.services.invoices.amend import AmendInvoice
from serve_app.services.invoices.delete_invoice import DeleteInvoice
from serve_app.services.invoices.get_invoice import GetInvoice
from serve_app.services.invoices.lists import ListEvents, ListInvoices, ListVendors
from serve_app.services.invoices.rerun import RerunExtraction
from serve_app.services.readiness import Readiness
from serve_app.services.wait import WaitForInvoice
from serve_app.settings import Settings


@dataclass(frozen=True, slots=True)
class Services:
    """The services of one process, built once by `serve_app.wiring`."""

    settings: Settings
    authenticate: Authenticate
    rate_limit: RateLimit
    fetch: FetchFile
    create: CreateInvoice
    wait: WaitForInvoice
    get_invoice: GetInvoice
    list_invoices: ListInvoices
    amend: AmendInvoice
    delete_invoice: DeleteInvoice
    rerun: RerunExtraction
    file_links: FileLinks
    approvals: Approvals
    export_csv: ExportCsv
    list_vendors: ListVendors
    list_events: ListEvents
    get_event: GetEvent
    me: DescribeCaller
    readiness: Readiness
