"""QuickBooks Online: bills by its accounting API. It has no drafts: a bill is booked at once."""

import json
from typing import Any
from urllib.parse import urlencode

from serve_app.services.exports.bill import Bill, Posting
from serve_app.services.exports.formats.base import text_of
from serve_app.services.exports.ledgers.answers import ROUNDED_TAX, accepted, same_bill
from serve_app.services.exports.ports import Call, Refused

API = "https://quickbooks.api.intuit.com/v3/company"
TOKENS = "https://oauth.platform.intuit.com/oauth2/v1/tokens/bearer"
_VERSION = "75"


class QuickBooks:
    """Names stand for records, which must be there: vendors, accounts and tax codes."""

    def __init__(self, call: Call, realm_id: str, access_token: str, url: str = API) -> None:
        self._call = call
        self._url = f"{url}/{realm_id}"
        self._headers = {
            "Authorization": f"Bearer {access_token}",
            "Accept": "application/json",
            "Content-Type": "application/json",
        }
        self._known: dict[tuple[str, str], str] = {}

    async def book(self, bill: Bill) -> str:
        """The id of the bill there. Raises Refused, DeliveryFailed."""
        vendor = await self._one("Vendor", "DisplayName", bill.vendor, "vendor")
        same = f"DocNumber = {_quoted(bill.number)} and VendorRef = {_quoted(vendor)}"
        there = await self._query("Bill", "Id, TotalAmt", same)
        if there:
            return same_bill("QuickBooks", there[0], "Id", "TotalAmt", bill, ROUNDED_TAX)
        body = {
            "VendorRef": {"value": vendor},
            "DocNumber": bill.number,
            "TxnDate": bill.issued_at.isoformat(),
            "DueDate": (bill.due_at or bill.issued_at).isoformat(),
            "CurrencyRef": {"value": bill.currency},
            "GlobalTaxCalculation": "TaxExcluded",
            "Line": [await self._line(bill, posting) for posting in bill.postings],
        }
        # A repeated call with the same id has the answer of the first one.
        query = urlencode({"requestid": str(bill.invoice_id), "minorversion": _VERSION})
        made = await self._send("POST", f"bill?{query}", json.dumps(body).encode())
        return str(made["Bill"]["Id"])

    async def _line(self, bill: Bill, posting: Posting) -> dict[str, Any]:
        account = await self._one("Account", "FullyQualifiedName", posting.coding.account, "account")
        detail: dict[str, Any] = {"AccountRef": {"value": account}}
        if posting.coding.tax_code:
            code = await self._one("TaxCode", "Name", posting.coding.tax_code, "tax code")
            detail["TaxCodeRef"] = {"value": code}
        return {
            "DetailType": "AccountBasedExpenseLineDetail",
            # The API takes numbers; those with at most 15 digits stay what they are.
            "Amount": float(posting.net),
            "Description": text_of(bill, posting.text),
            "AccountBasedExpenseLineDetail": detail,
        }

    async def _one(self, entity: str, field: str, value: str, called: str) -> str:
        """The id of the only record with this value. Raises Refused."""
        key = entity, value
        if key not in self._known:
            found = await self._query(entity, "Id", f"{field} = {_quoted(value)}")
            if len(found) != 1:
                raise Refused(f"QuickBooks has {'several' if found else 'no'} {called} {value!r}")
            self._known[key] = str(found[0]["Id"])
        return self._known[key]

    async def _query(self, entity: str, fields: str, where: str) -> list[dict[str, Any]]:
        text = f"select {fields} from {entity} where {where}"  # noqa: S608 - quoted; QuickBooks has no parameters
        query = urlencode({"query": text, "minorversion": _VERSION})
        answer = await self._send("GET", f"query?{query}")
        found: list[dict[str, Any]] = (answer.get("QueryResponse") or {}).get(entity) or []
        return found

    async def _send(self, method: str, path: str, body: bytes | None = None) -> dict[str, Any]:
        status, answer = await self._call(method, f"{self._url}/{path}", self._headers, body)
        return accepted("QuickBooks", status, answer, _said)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _said(answer: Any) -> str:
    """What is wrong, as QuickBooks says it."""
    errors = (answer.get("Fault") or {}).get("Error") or [] if isinstance(answer, dict) else []
    found = [str(error.get("Detail") or error.get("Message") or "") for error in errors]
    return "; ".join(found)[:300] or "status 400"
