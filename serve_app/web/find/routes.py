"""What the command palette finds: invoices by number or vendor, vendors, and pages."""

from dataclasses import asdict, dataclass
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import JSONResponse

from serve_app.domain.folding import folded
from serve_app.domain.invoice import Invoice
from serve_app.domain.query import InvoiceQuery
from serve_app.web.formats import Formats, formats_of
from serve_app.web.invoices.view import title_of
from serve_app.web.visitor import AnyServices, AnyVisitor, Visitor

router = APIRouter()

_EACH = 5


@dataclass(frozen=True, slots=True)
class Found:
    """One thing to go to. `kind` is said beside the name, `note` in small print."""

    kind: str
    name: str
    note: str
    path: str


@dataclass(frozen=True, slots=True)
class Place:
    """A page of the menu; `words` are others that find it."""

    name: str
    path: str
    words: str = ""
    role: str = "any"


_PLACES = (
    Place("Start", "/app/", "home dashboard"),
    Place("Send documents", "/app/send", "upload new scan photo", "reviewer"),
    Place("Invoices", "/app/invoices", "list bills"),
    Place("Invoices to check", "/app/invoices?to_check=true", "review"),
    Place("Review", "/app/review", "check decide queue confirm"),
    Place("Overdue invoices", "/app/invoices?overdue=true", "late due"),
    Place("Failed documents", "/app/invoices?status=failed", "errors"),
    Place("Mail", "/app/mail", "inbox email"),
    Place("Held e-mails", "/app/mail?state=held", "sender release"),
    Place("E-mail addresses", "/app/mail/addresses", "forward email inbox", "reviewer"),
    Place("Vendors", "/app/vendors", "suppliers"),
    Place("Orders", "/app/orders", "purchase orders, import, tolerances"),
    Place("Approvals", "/app/approvals"),
    Place("Exports", "/app/exports", "datev xero quickbooks odoo ledger bookkeeping"),
    Place("Schedules", "/app/exports/schedules", "export daily weekly monthly automatic mail"),
    Place("Events", "/app/events", "log"),
    Place("Quick start", "/app/quick-start", "api curl python", "owner"),
    Place("Keys", "/app/keys", "api tokens", "owner"),
    Place("Webhooks", "/app/webhooks", "endpoints", "owner"),
    Place("Deliveries", "/app/deliveries", "webhook attempts", "owner"),
    Place("Requests", "/app/requests", "api calls log", "owner"),
    Place("Own fields", "/app/fields", "custom delivery date contract licence plate"),
    Place("Chart", "/app/chart", "accounts cost centres tax codes rules coding"),
    Place("Quality", "/app/quality", "precision confidence thresholds"),
    Place("Plan and use", "/app/account", "quota settings"),
    Place("People", "/app/people", "users members roles", "owner"),
    Place("Audit", "/app/audit", "trail changes", "owner"),
    Place("Devices", "/app/devices", "sessions sign out"),
    Place("Deployment", "/app/operator", "operator models queue", "operator"),
)


@router.get("/find")
async def find(
    request: Request,
    services: AnyServices,
    visitor: AnyVisitor,
    q: Annotated[str, Query(max_length=100)] = "",
) -> JSONResponse:
    """What the text may mean, the likeliest first. Without a text: the pages."""
    text, formats = q.strip(), formats_of(request.headers.get("accept-language", ""))
    found = _places(visitor, text)
    if len(text) > 1:
        account_id = visitor.account.id
        by_number = await services.invoices.list(account_id, InvoiceQuery(number=text), _EACH)
        by_vendor = await services.invoices.list(account_id, InvoiceQuery(vendor=text), _EACH)
        invoices = {invoice.id: invoice for invoice in (*by_number.items, *by_vendor.items)}
        vendors = await services.vendors.page(account_id, _EACH, part=text)
        found += [Found("Vendor", each.name, "", f"/app/vendors/{each.id}") for each in vendors.items]
        found += [_invoice(invoice, formats) for invoice in invoices.values()]
    return JSONResponse({"results": [asdict(each) for each in found]})


def _places(visitor: Visitor, text: str) -> list[Found]:
    allowed = {"any": True, "reviewer": visitor.may_review, "owner": visitor.may_own, "operator": visitor.may_operate}
    places = [place for place in _PLACES if allowed[place.role] and _has(f"{place.name} {place.words}", text)]
    return [Found("Page", place.name, "", place.path) for place in places[: None if not text else _EACH]]


def _has(name: str, text: str) -> bool:
    return folded(text) in folded(name)


def _invoice(invoice: Invoice, formats: Formats) -> Found:
    money = formats.money(invoice.amount, invoice.currency) if invoice.amount is not None else ""
    note = ", ".join(part for part in (invoice.invoice_number, money, formats.day(invoice.issued_at)) if part)
    return Found("Invoice", title_of(invoice), note, f"/app/invoices/{invoice.id}")
