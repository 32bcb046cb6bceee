"""Xero: bills (`ACCPAY`) and credit notes (`ACCPAYCREDIT`) by its accounting API. They are drafts there, until somebody
approves them."""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from serve_app.services.exports.bill import Bill, Posting
from serve_app.services.exports.formats.base import text_of
from serve_app.services.exports.ledgers.answers import accepted, same_bill
from serve_app.services.exports.ports import Call, Refused

API = "https://api.xero.com/api.xro/2.0"
TOKENS = "https://identity.xero.com/connect/token"
_ENDED = frozenset({"VOIDED", "DELETED"})


class Xero:
    """Tax codes are names of tax rates there, as for the CSV import. `tracking` is the name of the tracking category of
    cost centres."""

    def __init__(self, call: Call, tenant_id: str, access_token: str, tracking: str = "", url: str = API) -> None:
        self._call = call
        self._url = url
        self._tracking = tracking
        self._headers = {
            "Authorization": f"Bearer {access_token}",
            "Xero-tenant-id": tenant_id,
            "Accept": "application/json",
            "Content-Type": "application/json",
        }
        self._tax_types: Mapping[str, str] | None = None

    async def book(self, bill: Bill) -> str:
        """The id of the bill there. Raises Refused, DeliveryFailed."""
        kind = "CreditNote" if bill.is_credit else "Invoice"
        there = await self._find(kind, bill)
        if there is not None:
            return there
        lines = [await self._line(bill, posting) for posting in bill.postings]
        body = {
            "Type": "ACCPAYCREDIT" if bill.is_credit else "ACCPAY",
            "Status": "DRAFT",
            "Contact": {"Name": bill.vendor},
            f"{kind}Number": bill.number,
            "Date": bill.issued_at.isoformat(),
            "CurrencyCode": bill.currency,
            "LineAmountTypes": "Exclusive",
            "LineItems": lines,
        }
        if not bill.is_credit:
            body["DueDate"] = (bill.due_at or bill.issued_at).isoformat()
        # A repeated call within hours has the answer of the first one.
        key = {"Idempotency-Key": str(bill.invoice_id)}
        made = await self._send("PUT", f"{kind}s", key, json.dumps({f"{kind}s": [body]}).encode())
        return str(made[f"{kind}s"][0][f"{kind}ID"])

    async def _find(self, kind: str, bill: Bill) -> str | None:
        """The id of the vendor's bill with this number. Numbers with a comma cannot be searched for."""
        if "," in bill.number:
            return None
        query = urlencode({f"{kind}Numbers": bill.number} if kind == "Invoice" else {"where": _where(bill.number)})
        found = await self._send("GET", f"{kind}s?{query}", {})
        for each in found.get(f"{kind}s") or []:
            is_bill = str(each.get("Type", "")).startswith("ACCPAY") and each.get("Status") not in _ENDED
            if is_bill and (each.get("Contact") or {}).get("Name", "").casefold() == bill.vendor.casefold():
                return same_bill("Xero", each, f"{kind}ID", "Total", bill)
        return None

    async def _line(self, bill: Bill, posting: Posting) -> dict[str, Any]:
        line: dict[str, Any] = {
            "Description": text_of(bill, posting.text),
            "Quantity": 1,
            # The API takes numbers; those with at most 15 digits stay what they are.
            "UnitAmount": float(posting.net),
            "TaxAmount": float(posting.tax),
            "AccountCode": posting.coding.account,
            "TaxType": await self._tax_type(posting.coding.tax_code),
        }
        if self._tracking and posting.coding.cost_centre:
            line["Tracking"] = [{"Name": self._tracking, "Option": posting.coding.cost_centre}]
        return line

    async def _tax_type(self, name: str) -> str:
        if self._tax_types is None:
            found = await self._send("GET", "TaxRates", {})
            self._tax_types = {each["Name"]: each["TaxType"] for each in found.get("TaxRates") or []}
        if name not in self._tax_types:
            raise Refused(f"Xero has no tax rate {name!r}")
        return self._tax_types[name]

    async def _send(self, method: str, path: str, headers: Mapping[str, str], body: bytes | None = None) -> Any:
        status, answer = await self._call(method, f"{self._url}/{path}", {**self._headers, **headers}, body)
        return accepted("Xero", status, answer, _said)


def _where(number: str) -> str:
    escaped = number.replace("\\", "\\\\").replace('"', '\\"')
    return f'CreditNoteNumber=="{escaped}"'


def _said(answer: Any) -> str:
    """What is wrong, as Xero says it."""
    elements = answer.get("Elements") or [] if isinstance(answer, dict) else []
    found = [error.get("Message", "") for each in elements for error in each.get("ValidationErrors") or []]
    return "; ".join(found)[:300] or str(answer.get("Message") or "status 400")[:300] if answer else "status 400"
