"""The services that the entry points (API, web application, e-mail) need."""

from dataclasses import dataclass

from serve_app.services.accounts.callers import Callers
from serve_app.services.accounts.rate_limit import RateLimit
from serve_app.services.approval.service import ApprovalService
from serve_app.services.csv.export import CsvExport
from serve_app.services.events.service import EventService
from serve_app.services.files.links import FileLinks
from serve_app.services.intake.create import InvoiceCreation
from serve_app.services.intake.file_urls import FileUrls
from serve_app.services.intake.wait import WaitForInvoice
from serve_app.services.invoices.service import InvoiceService
from serve_app.services.people.bundle import PeopleServices
from serve_app.services.upkeep.readiness import Readiness
from serve_app.services.vendors.service import VendorService
from serve_app.settings import Settings


@dataclass(frozen=True, slots=True)
class Services:
    """The services of one process, built once by `serve_app.wiring`."""

    settings: Settings
    callers: Callers
    rate_limit: RateLimit
    file_urls: FileUrls
    creation: InvoiceCreation
    wait: WaitForInvoice
    invoices: InvoiceService
    file_links: FileLinks
    approvals: ApprovalService
    csv: CsvExport
    vendors: VendorService
    events: EventService
    people: PeopleServices
    readiness: Readiness
