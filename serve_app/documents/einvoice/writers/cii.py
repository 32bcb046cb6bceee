"""Write Cross Industry Invoices (UN/CEFACT CII), the XML of Factur-X and ZUGFeRD."""

import re
from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal

from serve_app.documents.einvoice.writers.builder import (
    SPECIFICATION,
    Child,
    document,
    in_iso_6523,
    maker,
    only_identifier,
)
from serve_app.domain.einvoice import (
    Account,
    Address,
    Adjustment,
    Attachment,
    Contact,
    Delivery,
    EInvoice,
    Identifier,
    Line,
    Party,
    Payment,
    Period,
    PrecedingInvoice,
    VatBreakdown,
)

_STANDARD = "urn:un:unece:uncefact:data:standard:"
_RSM = f"{_STANDARD}CrossIndustryInvoice:100"
_RAM = f"{_STANDARD}ReusableAggregateBusinessInformationEntity:100"
_QDT, _UDT = f"{_STANDARD}QualifiedDataType:100", f"{_STANDARD}UnqualifiedDataType:100"
_SUPPORTING = "916"
"""Type (UNTDID 1001) of a reference to a document that supports the invoice."""
_IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}")

rsm, ram = maker("rsm", _RSM), maker("ram", _RAM)
qdt, udt = maker("qdt", _QDT), maker("udt", _UDT)


def write_cii(invoice: EInvoice) -> bytes:
    """An invoice of the level EN 16931."""
    context = [
        ram("BusinessProcessSpecifiedDocumentContextParameter", [ram("ID", invoice.process)]),
        ram("GuidelineSpecifiedDocumentContextParameter", [ram("ID", SPECIFICATION)]),
    ]
    header = [
        ram("ID", invoice.number),
        ram("TypeCode", invoice.type_code),
        _day("IssueDateTime", invoice.issued_at),
        *(ram("IncludedNote", [ram("Content", note)]) for note in invoice.notes),
    ]
    root = rsm(
        "CrossIndustryInvoice",
        [
            rsm("ExchangedDocumentContext", context),
            rsm("ExchangedDocument", header),
            rsm("SupplyChainTradeTransaction", _trade(invoice)),
        ],
    )
    return document(root, {"rsm": _RSM, "ram": _RAM, "qdt": _QDT, "udt": _UDT})


def _trade(invoice: EInvoice) -> Iterator[Child]:
    yield from map(_line, invoice.lines)
    yield ram("ApplicableHeaderTradeAgreement", _agreement(invoice))
    delivery = ram("ApplicableHeaderTradeDelivery", _delivery(invoice))
    # The one element that may, and must, be there without content.
    yield delivery if delivery is not None else _empty("ApplicableHeaderTradeDelivery")
    yield ram("ApplicableHeaderTradeSettlement", _settlement(invoice))


def _empty(name: str) -> Child:
    element = ram(name, " ")
    if element is not None:
        element.text = None
    return element


def _agreement(invoice: EInvoice) -> Iterator[Child]:
    yield ram("BuyerReference", invoice.buyer_reference)
    yield ram("SellerTradeParty", _seller(invoice.seller))
    yield ram("BuyerTradeParty", _party(invoice.buyer))
    if invoice.tax_representative:
        yield ram("SellerTaxRepresentativeTradeParty", _party(invoice.tax_representative))
    yield ram("SellerOrderReferencedDocument", [ram("IssuerAssignedID", invoice.sales_order)])
    yield ram("BuyerOrderReferencedDocument", [ram("IssuerAssignedID", invoice.order)])
    yield ram("ContractReferencedDocument", [ram("IssuerAssignedID", invoice.contract)])
    yield from map(_attachment, invoice.attachments)
    if invoice.project:
        yield ram("SpecifiedProcuringProject", [ram("ID", invoice.project), ram("Name", "Project reference")])


def _attachment(attachment: Attachment) -> Child:
    content = [
        ram("IssuerAssignedID", attachment.id),
        ram("TypeCode", _SUPPORTING),
        ram("Name", attachment.description),
    ]
    return ram("AdditionalReferencedDocument", content) if attachment.id else None


def _seller(party: Party) -> list[Child]:
    """With all of its identifiers, and its number for other taxes."""
    known = sorted(party.identifiers, key=in_iso_6523)
    return [*map(_party_id, known), *_rest(party), _registration(party.tax_number, "FC")]


def _party(party: Party) -> list[Child]:
    return [*map(_party_id, only_identifier(party)), *_rest(party)]


def _party_id(identifier: Identifier) -> Child:
    return _identifier("GlobalID" if in_iso_6523(identifier) else "ID", identifier)


def _rest(party: Party) -> list[Child]:
    organization = [_identifier("ID", party.registration), ram("TradingBusinessName", party.trading_name)]
    electronic = party.electronic_address
    return [
        ram("Name", party.name),
        ram("Description", party.legal_information),
        ram("SpecifiedLegalOrganization", organization),
        _contact(party.contact),
        _address(party.address),
        ram("URIUniversalCommunication", [ram("URIID", electronic.value, schemeID=electronic.scheme)])
        if electronic
        else None,
        _registration(party.vat_id, "VA"),
    ]


def _registration(number: str | None, scheme: str) -> Child:
    return ram("SpecifiedTaxRegistration", [ram("ID", number, schemeID=scheme)])


def _identifier(name: str, identifier: Identifier | None) -> Child:
    if identifier is None:
        return None
    return ram(name, identifier.value, schemeID=identifier.scheme if in_iso_6523(identifier) else None)


def _contact(contact: Contact | None) -> Child:
    if contact is None:
        return None
    content = [
        ram("PersonName", contact.name),
        ram("TelephoneUniversalCommunication", [ram("CompleteNumber", contact.phone)]),
        ram("EmailURIUniversalCommunication", [ram("URIID", contact.email)]),
    ]
    return ram("DefinedTradeContact", content)


def _address(address: Address | None) -> Child:
    if address is None:
        return None
    content = [
        ram("PostcodeCode", address.postal_code),
        ram("LineOne", address.line_1),
        ram("LineTwo", address.line_2),
        ram("LineThree", address.line_3),
        ram("CityName", address.city),
        ram("CountryID", address.country),
        ram("CountrySubDivisionName", address.subdivision),
    ]
    return ram("PostalTradeAddress", content)


def _delivery(invoice: EInvoice) -> Iterator[Child]:
    if invoice.delivery:
        yield ram("ShipToTradeParty", _receiver(invoice.delivery))
        delivered = _day("OccurrenceDateTime", invoice.delivery.delivered_at)
        yield ram("ActualDeliverySupplyChainEvent", [delivered])
    yield ram("DespatchAdviceReferencedDocument", [ram("IssuerAssignedID", invoice.despatch_advice)])


def _receiver(delivery: Delivery) -> list[Child]:
    place = _party_id(delivery.location) if delivery.location else None
    return [place, ram("Name", delivery.name), _address(delivery.address)]


def _settlement(invoice: EInvoice) -> Iterator[Child]:
    payment = invoice.payment
    yield ram("CreditorReferenceID", payment.creditor_id)
    yield ram("PaymentReference", payment.reference)
    yield ram("TaxCurrencyCode", invoice.tax_currency)
    yield ram("InvoiceCurrencyCode", invoice.currency)
    if invoice.payee:
        yield ram("PayeeTradeParty", _party(invoice.payee))
    if payment.means_code:
        means = payment.accounts or (None,)
        yield from (ram("SpecifiedTradeSettlementPaymentMeans", _means(payment, account)) for account in means)
    yield from (_breakdown(each, invoice.tax_point) for each in invoice.vat)
    yield _period(invoice.period)
    yield from _adjustments(invoice.adjustments)
    terms = [
        ram("Description", payment.terms),
        _day("DueDateDateTime", invoice.due_at),
        ram("DirectDebitMandateID", payment.mandate),
    ]
    yield ram("SpecifiedTradePaymentTerms", terms)
    yield _totals(invoice)
    yield from map(_preceding, invoice.preceding)
    yield ram("ReceivableSpecifiedTradeAccountingAccount", [ram("ID", invoice.buyer_accounting_reference)])


def _means(payment: Payment, account: Account | None) -> list[Child]:
    card = [ram("ID", payment.card_number), ram("CardholderName", payment.card_holder)]
    return [
        ram("TypeCode", payment.means_code),
        ram("Information", payment.means_text),
        ram("ApplicableTradeSettlementFinancialCard", card),
        ram("PayerPartyDebtorFinancialAccount", [ram("IBANID", payment.debited_account)]),
        *(_account(account) if account else ()),
    ]


def _account(account: Account) -> tuple[Child, Child]:
    number = account.number or ""
    is_iban = _IBAN.fullmatch("".join(number.split()))
    content = [
        ram("IBANID", number if is_iban else None),
        ram("AccountName", account.name),
        ram("ProprietaryID", None if is_iban else number),
    ]
    bank = ram("PayeeSpecifiedCreditorFinancialInstitution", [ram("BICID", account.bic)])
    return ram("PayeePartyCreditorFinancialAccount", content), bank


def _breakdown(vat: VatBreakdown, tax_point: date | None) -> Child:
    day = None if tax_point is None else udt("DateString", f"{tax_point:%Y%m%d}", format="102")
    content = [
        ram("CalculatedAmount", vat.tax),
        ram("TypeCode", "VAT"),
        ram("ExemptionReason", vat.exemption_reason),
        ram("BasisAmount", vat.base),
        ram("CategoryCode", vat.category),
        ram("ExemptionReasonCode", vat.exemption_code),
        ram("TaxPointDate", [day]),
        ram("RateApplicablePercent", vat.rate),
    ]
    return ram("ApplicableTradeTax", content)


def _period(period: Period | None) -> Child:
    if period is None:
        return None
    return ram("BillingSpecifiedPeriod", [_day("StartDateTime", period.start), _day("EndDateTime", period.end)])


def _day(name: str, day: date | None) -> Child:
    return None if day is None else ram(name, [udt("DateTimeString", f"{day:%Y%m%d}", format="102")])


def _adjustments(adjustments: Iterable[Adjustment]) -> Iterator[Child]:
    for each in adjustments:
        content = [
            ram("ChargeIndicator", [udt("Indicator", "true" if each.is_charge else "false")]),
            ram("CalculationPercent", each.percent),
            ram("BasisAmount", each.base),
            ram("ActualAmount", each.amount),
            ram("ReasonCode", each.reason_code),
            ram("Reason", each.reason),
            _tax("CategoryTradeTax", each.vat_category, each.vat_rate),
        ]
        yield ram("SpecifiedTradeAllowanceCharge", content)


def _tax(name: str, category: str | None, rate: Decimal | None) -> Child:
    if category is None:
        return None
    return ram(name, [ram("TypeCode", "VAT"), ram("CategoryCode", category), ram("RateApplicablePercent", rate)])


def _totals(invoice: EInvoice) -> Child:
    totals = invoice.totals
    content = [
        ram("LineTotalAmount", totals.lines),
        ram("ChargeTotalAmount", totals.charges),
        ram("AllowanceTotalAmount", totals.allowances),
        ram("TaxBasisTotalAmount", totals.net),
        ram("TaxTotalAmount", totals.tax, currencyID=invoice.currency),
        ram("TaxTotalAmount", totals.tax_in_accounting_currency, currencyID=invoice.tax_currency),
        ram("RoundingAmount", totals.rounding),
        ram("GrandTotalAmount", totals.gross),
        ram("TotalPrepaidAmount", totals.paid),
        ram("DuePayableAmount", totals.due),
    ]
    return ram("SpecifiedTradeSettlementHeaderMonetarySummation", content)


def _preceding(earlier: PrecedingInvoice) -> Child:
    day = earlier.issued_at and qdt("DateTimeString", f"{earlier.issued_at:%Y%m%d}", format="102")
    content = [
        ram("IssuerAssignedID", earlier.number),
        ram("FormattedIssueDateTime", [day] if day is not None else None),
    ]
    return ram("InvoiceReferencedDocument", content)


def _line(line: Line) -> Child:
    return ram(
        "IncludedSupplyChainTradeLineItem",
        [
            ram("AssociatedDocumentLineDocument", [ram("LineID", line.id), _note(line)]),
            _product(line),
            _line_agreement(line),
            ram("SpecifiedLineTradeDelivery", [ram("BilledQuantity", line.quantity, unitCode=line.unit)]),
            _line_settlement(line),
        ],
    )


def _note(line: Line) -> Child:
    return ram("IncludedNote", [ram("Content", line.note)])


def _product(line: Line) -> Child:
    content = [
        _identifier("GlobalID", line.standard_item_id),
        ram("SellerAssignedID", line.seller_item_id),
        ram("BuyerAssignedID", line.buyer_item_id),
        ram("Name", line.name),
        ram("Description", line.description),
    ]
    return ram("SpecifiedTradeProduct", content)


def _line_agreement(line: Line) -> Child:
    indicator = ram("ChargeIndicator", [udt("Indicator", "false")])
    discount = ram("AppliedTradeAllowanceCharge", [indicator, ram("ActualAmount", line.price_discount)])
    gross = [ram("ChargeAmount", line.gross_price), None if line.price_discount is None else discount]
    net = [
        ram("ChargeAmount", line.price),
        ram("BasisQuantity", line.base_quantity, unitCode=line.base_unit),
    ]
    content = [
        ram("BuyerOrderReferencedDocument", [ram("LineID", line.order_line)]),
        ram("GrossPriceProductTradePrice", gross),
        ram("NetPriceProductTradePrice", net),
    ]
    return ram("SpecifiedLineTradeAgreement", content)


def _line_settlement(line: Line) -> Child:
    total = ram("SpecifiedTradeSettlementLineMonetarySummation", [ram("LineTotalAmount", line.net)])
    content = [
        _tax("ApplicableTradeTax", line.vat_category, line.vat_rate),
        _period(line.period),
        *_adjustments(line.adjustments),
        total,
    ]
    return ram("SpecifiedLineTradeSettlement", content)
