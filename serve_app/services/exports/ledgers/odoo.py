"""Odoo 19 and later: vendor bills (`account.move`) by its JSON-2 API. They are drafts until somebody posts them."""

import json
from typing import Any

from serve_app.services.exports.bill import Bill, Posting
from serve_app.services.exports.formats.base import text_of
from serve_app.services.exports.ledgers.answers import ROUNDED_TAX, same_bill
from serve_app.services.exports.ports import Call, DeliveryFailed, Refused

Domain = list[list[Any]]
"""What is searched for, as Odoo writes it."""


class Odoo:
    """Names stand for records, which must be there: the service makes no vendors, accounts and taxes."""

    def __init__(self, call: Call, url: str, database: str, key: str) -> None:
        self._call = call
        self._url = url.rstrip("/")
        self._headers = {"Authorization": f"bearer {key}", "Content-Type": "application/json; charset=utf-8"}
        if database:
            self._headers["X-Odoo-Database"] = database
        self._known: dict[str, int] = {}

    async def book(self, bill: Bill) -> str:
        """The id of the bill there. Raises Refused, DeliveryFailed."""
        partner = await self._partner(bill)
        move_type = "in_refund" if bill.is_credit else "in_invoice"
        same: Domain = [["move_type", "=", move_type], ["partner_id", "=", partner], ["ref", "=", bill.number]]
        there = await self._search("account.move", [*same, ["state", "!=", "cancel"]], "amount_total")
        if there:
            return same_bill("Odoo", there[0], "id", "amount_total", bill, ROUNDED_TAX)
        lines = [[0, 0, await self._line(bill, posting)] for posting in bill.postings]
        move = {
            "move_type": move_type,
            "partner_id": partner,
            "ref": bill.number,
            "invoice_date": bill.issued_at.isoformat(),
            "invoice_date_due": bill.due_at.isoformat() if bill.due_at else False,
            "currency_id": await self._one("res.currency", "name", bill.currency, "currency"),
            "invoice_origin": bill.order or False,
            "invoice_line_ids": lines,
        }
        made = await self._send("account.move", "create", {"vals_list": [move]})
        return str(made[0] if isinstance(made, list) else made)

    async def _line(self, bill: Bill, posting: Posting) -> dict[str, Any]:
        taxes: list[int] = []
        if posting.coding.tax_code:
            purchase = [["type_tax_use", "=", "purchase"]]
            taxes = [await self._one("account.tax", "name", posting.coding.tax_code, "purchase tax", purchase)]
        return {
            "name": text_of(bill, posting.text),
            "quantity": 1,
            # The API takes numbers; those with at most 15 digits stay what they are.
            "price_unit": float(posting.net),
            "account_id": await self._one("account.account", "code", posting.coding.account, "account"),
            "tax_ids": [[6, 0, taxes]],
        }

    async def _partner(self, bill: Bill) -> int:
        if bill.tax_id:
            found = await self._search("res.partner", [["vat", "=", bill.tax_id], ["parent_id", "=", False]])
            if len(found) == 1:
                return int(found[0]["id"])
        return await self._one("res.partner", "name", bill.vendor, "vendor", [["parent_id", "=", False]])

    async def _one(self, model: str, field: str, value: str, called: str, also: Domain | None = None) -> int:
        """The id of the only record with this value. Raises Refused."""
        key = f"{model} {value}"
        if key not in self._known:
            found = await self._search(model, [[field, "=", value], *(also or [])])
            if len(found) != 1:
                number = "no" if not found else "several"
                raise Refused(f"Odoo has {number} {called} {value!r}")
            self._known[key] = int(found[0]["id"])
        return self._known[key]

    async def _search(self, model: str, domain: Domain, *fields: str) -> list[dict[str, Any]]:
        found = await self._send(model, "search_read", {"domain": domain, "fields": ["id", *fields], "limit": 2})
        return found if isinstance(found, list) else []

    async def _send(self, model: str, method: str, arguments: dict[str, Any]) -> Any:
        body = json.dumps(arguments).encode()
        status, answer = await self._call("POST", f"{self._url}/json/2/{model}/{method}", self._headers, body)
        if status == 200:
            return answer
        said = str(answer.get("message") or "")[:200] if isinstance(answer, dict) else ""
        if status in (400, 422):
            raise Refused(f"Odoo refused it: {said or f'status {status}'}")
        reason = "the API key is not accepted, or lacks a right" if status in (401, 403) else said or f"status {status}"
        raise DeliveryFailed(f"Odoo: {reason}")
