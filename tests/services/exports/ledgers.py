"""Stand-ins for the APIs of Odoo (JSON-2), Xero and QuickBooks Online: they take what is documented, and refuse the
rest."""

import base64
import json
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any
from urllib.parse import parse_qs, urlsplit

from serve_app.services.exports.ports import DeliveryFailed
from tests.services.exports.published import QUICKBOOKS, XERO, differences

NAMES = {"res.partner": "name", "res.currency": "name", "account.account": "code", "account.tax": "name"}
_MOVE = {
    *("move_type", "partner_id", "ref", "invoice_date", "invoice_date_due", "currency_id", "invoice_origin"),
    "invoice_line_ids",
}
_LINE = {"name", "quantity", "price_unit", "account_id", "tax_ids"}


class OdooServer:
    """Has records of these names; `rates` are the percentages of its taxes."""

    def __init__(self, partners: list[str], accounts: list[str], rates: Mapping[str, int]) -> None:
        names = {"res.partner": partners, "res.currency": ["EUR"], "account.account": accounts, "account.tax": [*rates]}
        self.records: dict[str, list[dict[str, Any]]] = {
            model: [{"id": 100 * number + place, NAMES[model]: name} for place, name in enumerate(found, 1)]
            for number, (model, found) in enumerate(names.items(), 1)
        }
        for tax in self.records["account.tax"]:
            tax |= {"type_tax_use": "purchase", "amount": rates[str(tax["name"])]}
        for partner in self.records["res.partner"]:
            partner |= {"parent_id": False}
        self.moves: list[dict[str, Any]] = []
        self.lost_answers = 0

    async def __call__(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None = None
    ) -> tuple[int, Any]:
        assert method == "POST"
        assert headers["X-Odoo-Database"] == "company"
        if headers["Authorization"] != "bearer key":
            return 401, {"name": "werkzeug.exceptions.Unauthorized", "message": "Invalid apikey"}
        model, action = urlsplit(url).path.removeprefix("/json/2/").split("/")
        arguments = json.loads(body or b"")
        return self._search(model, arguments) if action == "search_read" else self._create(arguments["vals_list"])

    def _search(self, model: str, arguments: Mapping[str, Any]) -> tuple[int, Any]:
        records = self.moves if model == "account.move" else self.records[model]
        found = [each for each in records if all(_fits(each, *term) for term in arguments["domain"])]
        fields = arguments["fields"]
        return 200, [{name: each[name] for name in fields} for each in found[: arguments["limit"]]]

    def _create(self, values: list[dict[str, Any]]) -> tuple[int, Any]:
        made = []
        for move in values:
            assert move.keys() <= _MOVE
            lines = [line for command, _, line in move["invoice_line_ids"] if command == 0]
            assert all(line.keys() <= _LINE for line in lines)
            if any(line["name"] == "refuse" for line in lines):
                return 422, {"name": "odoo.exceptions.UserError", "message": "The period is locked."}
            move |= {"id": 900 + len(self.moves), "state": "draft", "amount_total": float(sum(map(self._gross, lines)))}
            self.moves.append(move)
            made.append(move["id"])
        if self.lost_answers:
            self.lost_answers -= 1
            raise DeliveryFailed("odoo.example.com cannot be reached: no answer within 60 s")
        return 200, made

    def _gross(self, line: Mapping[str, Any]) -> Decimal:
        net = Decimal(str(line["price_unit"]))
        ((_, _, taxes),) = line["tax_ids"]
        rates = [int(each["amount"]) for each in self.records["account.tax"] if each["id"] in taxes]
        return net + sum((round(net * rate / 100, 2) for rate in rates), Decimal(0))


def _fits(record: Mapping[str, Any], name: str, sign: str, value: Any) -> bool:
    return (record.get(name) == value) is (sign == "=")


class XeroServer:
    """One organisation. Refresh tokens are used up; a repeated key has the answer of the first call."""

    def __init__(self, rates: Mapping[str, str], accounts: list[str]) -> None:
        self.rates, self.accounts = rates, accounts
        self.refresh = "refresh 1"
        self.bills: dict[str, list[dict[str, Any]]] = {"Invoices": [], "CreditNotes": []}
        self.keys: dict[str, Any] = {}
        self.lost_answers = 0

    async def __call__(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None = None
    ) -> tuple[int, Any]:
        parts = urlsplit(url)
        if parts.netloc == "identity.xero.com":
            return self._token(headers, parse_qs((body or b"").decode()))
        assert headers["Xero-tenant-id"] == "tenant"
        if headers["Authorization"] != "Bearer access":
            return 401, {"Title": "Unauthorized"}
        collection = parts.path.rpartition("/")[2]
        if collection == "TaxRates":
            return 200, {"TaxRates": [{"Name": name, "TaxType": code} for name, code in self.rates.items()]}
        if method == "GET":
            query = parse_qs(parts.query)
            number = query.get("InvoiceNumbers", query.get("where", [""]))[0]
            kind = collection[:-1]
            return 200, {collection: [each for each in self.bills[collection] if each[f"{kind}Number"] in number]}
        return self._put(collection, headers["Idempotency-Key"], json.loads(body or b""))

    def _token(self, headers: Mapping[str, str], form: Mapping[str, list[str]]) -> tuple[int, Any]:
        assert headers["Authorization"] == "Basic " + base64.b64encode(b"client:secret").decode()
        if form["grant_type"] != ["refresh_token"] or form["refresh_token"] != [self.refresh]:
            return 400, {"error": "invalid_grant"}
        self.refresh = f"refresh {int(self.refresh.split()[1]) + 1}"
        return 200, {"access_token": "access", "refresh_token": self.refresh, "expires_in": 1800}

    def _put(self, collection: str, key: str, body: Mapping[str, Any]) -> tuple[int, Any]:
        if key not in self.keys:
            assert differences(body, XERO[collection]) == []
            (bill,) = body[collection]
            unknown = [line["AccountCode"] for line in bill["LineItems"] if line["AccountCode"] not in self.accounts]
            if unknown:
                errors = [{"Message": f"Account code '{unknown[0]}' is not a valid code"}]
                return 400, {"Type": "ValidationException", "Elements": [{"ValidationErrors": errors}]}
            amounts = [line[name] for line in bill["LineItems"] for name in ("UnitAmount", "TaxAmount")]
            total = sum(Decimal(str(amount)) for amount in amounts)
            made = {**bill, f"{collection[:-1]}ID": f"id {len(self.keys)}", "Total": float(total)}
            self.bills[collection].append(made)
            self.keys[key] = {collection: [made]}
        if self.lost_answers:
            self.lost_answers -= 1
            raise DeliveryFailed("api.xero.com cannot be reached: no answer within 60 s")
        return 200, self.keys[key]


class QuickBooksServer:
    """One company with these records. A repeated request id has the answer of the first call."""

    def __init__(self, records: Mapping[str, list[str]], rates: Mapping[str, int]) -> None:
        self.ids = {
            (entity, name): f"{entity} {place}" for entity, names in records.items() for place, name in enumerate(names)
        }
        self.rates = {self.ids["TaxCode", name]: rate for name, rate in rates.items()}
        self.bills: list[dict[str, Any]] = []
        self.requests: dict[str, Any] = {}
        self.lost_answers = 0

    async def __call__(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None = None
    ) -> tuple[int, Any]:
        parts = urlsplit(url)
        if parts.netloc == "oauth.platform.intuit.com":
            return 200, {"access_token": "access", "refresh_token": "next", "expires_in": 3600}
        assert headers["Authorization"] == "Bearer access"
        assert parts.path.startswith("/v3/company/4711/")
        query = parse_qs(parts.query)
        if method == "GET":
            return 200, {"QueryResponse": self._query(query["query"][0])}
        return self._create(query["requestid"][0], json.loads(body or b""))

    def _query(self, text: str) -> dict[str, Any]:
        found = re.fullmatch(r"select (.+) from (\w+) where (\w+) = '((?:[^'\\]|\\.)*)'(.*)", text)
        assert found is not None, text
        entity, value = found[2], re.sub(r"\\(.)", r"\1", found[4])
        if entity == "Bill":
            return {"Bill": [{"Id": b["Id"], "TotalAmt": b["TotalAmt"]} for b in self.bills if b["DocNumber"] == value]}
        id = self.ids.get((entity, value))
        return {entity: [{"Id": id}]} if id else {}

    def _create(self, request: str, bill: dict[str, Any]) -> tuple[int, Any]:
        if request not in self.requests:
            assert differences(bill, QUICKBOOKS) == []
            if bill["CurrencyRef"]["value"] != "EUR":
                error = {"Message": "Invalid Reference Id", "Detail": "Currency is not active", "code": "2500"}
                return 400, {"Fault": {"Error": [error], "type": "ValidationFault"}}
            bill |= {"Id": str(len(self.bills) + 1), "TotalAmt": float(sum(map(self._gross, bill["Line"])))}
            self.bills.append(bill)
            self.requests[request] = {"Bill": bill}
        if self.lost_answers:
            self.lost_answers -= 1
            raise DeliveryFailed("quickbooks.api.intuit.com cannot be reached: no answer within 60 s")
        return 200, self.requests[request]

    def _gross(self, line: Mapping[str, Any]) -> Decimal:
        net, detail = Decimal(str(line["Amount"])), line["AccountBasedExpenseLineDetail"]
        return net + round(net * self.rates[detail["TaxCodeRef"]["value"]] / 100, 2)
