"""Parse Cross Industry Invoices (UN/CEFACT CII), the XML of Factur-X, ZUGFeRD and XRechnung, into values."""

import re
from datetime import date
from decimal import Decimal, InvalidOperation

from lxml import etree

from serve_app.documents.einvoice.profiles import profile_name
from serve_app.documents.einvoice.xml import Node, UnsafeXmlError, descend, first, parse, text, texts
from serve_app.domain.invoice_data import InvoiceData

# ZUGFeRD 1 (2014) and ZUGFeRD 2 with Factur-X (since 2017). Order-X uses a different root.
_FIRST = "{urn:ferd:CrossIndustryDocument:invoice:1p0}CrossIndustryDocument"
_SECOND = "{urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100}CrossIndustryInvoice"
# No name, number or identifier in the standard is longer, and no amount has more digits.
_MAX_TEXT = 200
_AMOUNT = re.compile(r"[+-]?\d{1,15}(?:\.\d{1,6})?")
# UNTDID 2379: 102 is CCYYMMDD, 203 and 204 add a time. Early ZUGFeRD 1 files use ISO 8601.
_DATE = re.compile(r"(\d{4})-?(\d{2})-?(\d{2})(?:T.*|\d{4}|\d{6})?")


def parse_cii(data: bytes, file_name: str) -> InvoiceData | None:
    """The invoice in the XML; None if the XML is malformed or unsafe, or is any other message."""
    try:
        root = parse(data)
    except UnsafeXmlError:
        return None
    if root.tag not in (_FIRST, _SECOND):
        return None
    return _first_version(root) if root.tag == _FIRST else _second_version(root, file_name)


def _first_version(root: Node) -> InvoiceData:
    trade = _node(root, "SpecifiedSupplyChainTradeTransaction")
    return _invoice(
        profile_name(_guideline(root, "SpecifiedExchangedDocumentContext"), "", first_version=True),
        document=_node(root, "HeaderExchangedDocument"),
        agreement=_node(trade, "ApplicableSupplyChainTradeAgreement"),
        settlement=_node(trade, "ApplicableSupplyChainTradeSettlement"),
        totals="SpecifiedTradeSettlementMonetarySummation",
    )


def _second_version(root: Node, file_name: str) -> InvoiceData:
    trade = _node(root, "SupplyChainTradeTransaction")
    return _invoice(
        profile_name(_guideline(root, "ExchangedDocumentContext"), file_name, first_version=False),
        document=_node(root, "ExchangedDocument"),
        agreement=_node(trade, "ApplicableHeaderTradeAgreement"),
        settlement=_node(trade, "ApplicableHeaderTradeSettlement"),
        totals="SpecifiedTradeSettlementHeaderMonetarySummation",
    )


def _invoice(profile: str, document: Node, agreement: Node, settlement: Node, totals: str) -> InvoiceData:
    currency = _short(first(settlement, "InvoiceCurrencyCode"))
    return InvoiceData(
        profile=profile,
        seller=_short(first(agreement, "SellerTradeParty", "Name")),
        number=_short(first(document, "ID")),
        issued_at=_date(first(document, "IssueDateTime", "DateTimeString")),
        due_at=_due_date(settlement),
        currency=currency,
        amount=_amount(first(settlement, totals, "GrandTotalAmount")),
        tax=_tax(settlement, totals, currency),
        vat_ids=_vat_ids(agreement),
        ibans=_ibans(settlement),
    )


def _node(node: Node, name: str) -> Node:
    """The child with that name; an empty element if it is missing."""
    return next(descend(node, name), etree.Element("missing"))


def _guideline(root: Node, context: str) -> str:
    return first(root, context, "GuidelineSpecifiedDocumentContextParameter", "ID") or ""


def _short(found: str | None) -> str | None:
    return " ".join(found.split()) if found and len(found) <= _MAX_TEXT else None


def _amount(found: str | None) -> Decimal | None:
    try:
        return Decimal(found) if found and _AMOUNT.fullmatch(found) else None
    except InvalidOperation:
        return None


def _date(found: str | None) -> date | None:
    match = _DATE.fullmatch(found) if found else None
    try:
        return date(*map(int, match.groups())) if match else None
    except ValueError:
        return None


def _due_date(settlement: Node) -> date | None:
    """The last date in the payment terms: earlier ones are for discounts or instalments."""
    terms = texts(settlement, "SpecifiedTradePaymentTerms", "DueDateDateTime", "DateTimeString")
    return max(filter(None, map(_date, terms)), default=None)


def _tax(settlement: Node, totals: str, currency: str | None) -> Decimal | None:
    """The tax in the invoice's currency; it may also be given in the accounting currency (BT-111)."""
    for node in descend(settlement, totals, "TaxTotalAmount"):
        if node.get("currencyID") in (None, currency):
            return _amount(text(node))
    return None


def _vat_ids(agreement: Node) -> tuple[str, ...]:
    """VAT identifiers (scheme VA) of the seller, its tax representative and the buyer; tax numbers (FC) are ignored."""
    parties = ("SellerTradeParty", "SellerTaxRepresentativeTradeParty", "BuyerTradeParty")
    nodes = [node for party in parties for node in descend(agreement, party, "SpecifiedTaxRegistration", "ID")]
    return _compact([text(node) for node in nodes if node.get("schemeID") == "VA"])


def _ibans(settlement: Node) -> tuple[str, ...]:
    """The accounts to pay into, without the payer's own account that a direct debit names."""
    means = ("SpecifiedTradeSettlementPaymentMeans", "PayeePartyCreditorFinancialAccount", "IBANID")
    return _compact([*texts(settlement, *means)])


def _compact(found: list[str | None]) -> tuple[str, ...]:
    """Upper-cased, without white space or duplicates."""
    return tuple(dict.fromkeys("".join(text.split()).upper() for text in found if text and len(text) <= _MAX_TEXT))
