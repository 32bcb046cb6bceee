"""Odoo: vendor bills, as arguments of `create` of the model `account.move` in its JSON API. Names stand for records,
which the caller resolves: `partner_id`, `currency_id`, `account_id` and `tax_ids` are ids there."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from serve_app.domain.export import ExportFormat
from serve_app.services.exports.bill import Bill
from serve_app.services.exports.formats.base import Format, text_of
from serve_app.services.exports.settings import LedgerSettings
from serve_app.services.exports.text import Notes


class OdooSettings(LedgerSettings):
    """`tax_codes` are names of purchase taxes there."""


def _check(bill: Bill, _: OdooSettings) -> str | None:
    return None if all(posting.coding.account for posting in bill.postings) else "it needs an account"


def _write(bills: Sequence[Bill], _: OdooSettings, __: datetime, ___: Notes) -> bytes:
    moves = {"model": "account.move", "method": "create", "vals_list": [_move(bill) for bill in bills]}
    return json.dumps(moves, ensure_ascii=False, indent=1).encode()


def _move(bill: Bill) -> dict[str, Any]:
    return {
        "move_type": "in_refund" if bill.is_credit else "in_invoice",
        "partner_name": bill.vendor,
        "partner_vat": bill.tax_id or None,
        "ref": bill.number,
        "invoice_date": bill.issued_at.isoformat(),
        "invoice_date_due": bill.due_at.isoformat() if bill.due_at else None,
        "currency_code": bill.currency,
        "invoice_origin": bill.order or None,
        "invoice_line_ids": [
            [
                0,
                0,
                {
                    "name": text_of(bill, posting.text),
                    "quantity": 1,
                    # Exact, as text: Odoo reads it as a number.
                    "price_unit": f"{posting.net:f}",
                    "account_code": posting.coding.account,
                    "tax_names": [posting.coding.tax_code] if posting.coding.tax_code else [],
                    "tax_amount": f"{posting.tax:f}",
                },
            ]
            for posting in bill.postings
        ],
        "x_invoice_id": str(bill.invoice_id),
    }


FORMAT = Format("Odoo bills (JSON)", "odoo_bills", "json", "application/json", OdooSettings, _check, _write)
NAME = ExportFormat.ODOO
