"""Write invoices and credit notes in UBL 2.1."""

from collections.abc import Iterable, Iterator
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

_SCHEMA = "urn:oasis:names:specification:ubl:schema:xsd:"
_CAC, _CBC = f"{_SCHEMA}CommonAggregateComponents-2", f"{_SCHEMA}CommonBasicComponents-2"
_PROJECT = "50"
"""Type of the reference to a project in a credit note, which has no element of its own for it."""
_NETWORK = "mapped-from-cii"
"""What EN 16931 says for the network of a card, which UBL requires and the record does not have."""

cac, cbc = maker("cac", _CAC), maker("cbc", _CBC)


def write_ubl(invoice: EInvoice) -> bytes:
    """An Invoice, or a CreditNote if its type says so."""
    name = "CreditNote" if invoice.is_credit_note else "Invoice"
    root = maker("", f"{_SCHEMA}{name}-2")(
        name, [*_header(invoice), *_parties(invoice), *_sums(invoice), *_lines(invoice)]
    )
    return document(root, {None: f"{_SCHEMA}{name}-2", "cac": _CAC, "cbc": _CBC})


def _header(invoice: EInvoice) -> Iterator[Child]:
    is_credit = invoice.is_credit_note
    yield cbc("CustomizationID", SPECIFICATION)
    yield cbc("ProfileID", invoice.process)
    yield cbc("ID", invoice.number)
    yield cbc("IssueDate", invoice.issued_at)
    if is_credit:
        yield cbc("TaxPointDate", invoice.tax_point)
        yield cbc("CreditNoteTypeCode", invoice.type_code)
    else:
        yield cbc("DueDate", invoice.due_at)
        yield cbc("InvoiceTypeCode", invoice.type_code)
    yield from (cbc("Note", note) for note in invoice.notes)
    if not is_credit:
        yield cbc("TaxPointDate", invoice.tax_point)
    yield cbc("DocumentCurrencyCode", invoice.currency)
    yield cbc("TaxCurrencyCode", invoice.tax_currency)
    yield cbc("AccountingCost", invoice.buyer_accounting_reference)
    yield cbc("BuyerReference", invoice.buyer_reference)
    yield _period(invoice.period)
    yield from _references(invoice)


def _references(invoice: EInvoice) -> Iterator[Child]:
    yield cac("OrderReference", [cbc("ID", invoice.order), cbc("SalesOrderID", invoice.sales_order)])
    yield from map(_preceding, invoice.preceding)
    yield cac("DespatchDocumentReference", [cbc("ID", invoice.despatch_advice)])
    yield cac("ContractDocumentReference", [cbc("ID", invoice.contract)])
    yield from map(_attachment, invoice.attachments)
    if invoice.is_credit_note and invoice.project:
        yield cac("AdditionalDocumentReference", [cbc("ID", invoice.project), cbc("DocumentTypeCode", _PROJECT)])
    elif invoice.project:
        yield cac("ProjectReference", [cbc("ID", invoice.project)])


def _preceding(earlier: PrecedingInvoice) -> Child:
    reference = cac("InvoiceDocumentReference", [cbc("ID", earlier.number), cbc("IssueDate", earlier.issued_at)])
    return cac("BillingReference", [reference])


def _attachment(attachment: Attachment) -> Child:
    content = [cbc("ID", attachment.id), cbc("DocumentDescription", attachment.description)]
    return cac("AdditionalDocumentReference", content)


def _parties(invoice: EInvoice) -> Iterator[Child]:
    creditor = Identifier(invoice.payment.creditor_id, "SEPA") if invoice.payment.creditor_id else None
    of_seller = None if invoice.payee else creditor
    seller = _party(invoice.seller, invoice.seller.identifiers, invoice.seller.tax_number, of_seller)
    yield cac("AccountingSupplierParty", [cac("Party", seller)])
    yield cac("AccountingCustomerParty", [cac("Party", _party(invoice.buyer, only_identifier(invoice.buyer)))])
    if invoice.payee:
        yield cac("PayeeParty", _other_party(invoice.payee, creditor))
    if invoice.tax_representative:
        yield cac("TaxRepresentativeParty", _other_party(invoice.tax_representative))
    yield _delivery(invoice.delivery)


def _party(
    party: Party,
    identifiers: Iterable[Identifier],
    tax_number: str | None = None,
    creditor: Identifier | None = None,
) -> list[Child]:
    """A seller or buyer. Only sellers have a number for other taxes than VAT."""
    electronic = party.electronic_address
    legal = [
        cbc("RegistrationName", party.name),
        _identifier("CompanyID", party.registration),
        cbc("CompanyLegalForm", party.legal_information),
    ]
    return [
        cbc("EndpointID", electronic.value, schemeID=electronic.scheme) if electronic else None,
        *_identifications(identifiers, creditor),
        cac("PartyName", [cbc("Name", party.trading_name)]),
        _address("PostalAddress", party.address),
        _tax_scheme(party.vat_id, "VAT"),
        _tax_scheme(tax_number, "TAX"),
        cac("PartyLegalEntity", legal),
        _contact(party.contact),
    ]


def _other_party(party: Party, creditor: Identifier | None = None) -> list[Child]:
    """A payee or tax representative, whose name is not the registered one."""
    return [
        *_identifications(only_identifier(party), creditor),
        cac("PartyName", [cbc("Name", party.name)]),
        _address("PostalAddress", party.address),
        _tax_scheme(party.vat_id, "VAT"),
        cac("PartyLegalEntity", [_identifier("CompanyID", party.registration)]),
    ]


def _identifications(identifiers: Iterable[Identifier], creditor: Identifier | None) -> Iterator[Child]:
    for each in identifiers:
        yield cac("PartyIdentification", [_identifier("ID", each)])
    if creditor:
        yield cac("PartyIdentification", [cbc("ID", creditor.value, schemeID=creditor.scheme)])


def _identifier(name: str, identifier: Identifier | None) -> Child:
    if identifier is None:
        return None
    return cbc(name, identifier.value, schemeID=identifier.scheme if in_iso_6523(identifier) else None)


def _tax_scheme(number: str | None, scheme: str) -> Child:
    return cac("PartyTaxScheme", [cbc("CompanyID", number), _scheme(scheme)]) if number else None


def _scheme(name: str = "VAT") -> Child:
    return cac("TaxScheme", [cbc("ID", name)])


def _address(name: str, address: Address | None) -> Child:
    if address is None:
        return None
    content = [
        cbc("StreetName", address.line_1),
        cbc("AdditionalStreetName", address.line_2),
        cbc("CityName", address.city),
        cbc("PostalZone", address.postal_code),
        cbc("CountrySubentity", address.subdivision),
        cac("AddressLine", [cbc("Line", address.line_3)]),
        cac("Country", [cbc("IdentificationCode", address.country)]),
    ]
    return cac(name, content)


def _contact(contact: Contact | None) -> Child:
    if contact is None:
        return None
    content = [cbc("Name", contact.name), cbc("Telephone", contact.phone), cbc("ElectronicMail", contact.email)]
    return cac("Contact", content)


def _delivery(delivery: Delivery | None) -> Child:
    if delivery is None:
        return None
    place = [_identifier("ID", delivery.location), _address("Address", delivery.address)]
    content = [
        cbc("ActualDeliveryDate", delivery.delivered_at),
        cac("DeliveryLocation", place),
        cac("DeliveryParty", [cac("PartyName", [cbc("Name", delivery.name)])]),
    ]
    return cac("Delivery", content)


def _period(period: Period | None) -> Child:
    return cac("InvoicePeriod", [cbc("StartDate", period.start), cbc("EndDate", period.end)]) if period else None


def _sums(invoice: EInvoice) -> Iterator[Child]:
    yield from _payment_means(invoice)
    yield cac("PaymentTerms", [cbc("Note", invoice.payment.terms)])
    yield from _adjustments(invoice.adjustments, invoice.currency, is_of_line=False)
    breakdown = [_breakdown(each, invoice.currency) for each in invoice.vat]
    yield cac("TaxTotal", [_money("TaxAmount", invoice.totals.tax, invoice.currency), *breakdown])
    in_other = _money("TaxAmount", invoice.totals.tax_in_accounting_currency, invoice.tax_currency)
    yield cac("TaxTotal", [in_other])
    yield _totals(invoice)


def _payment_means(invoice: EInvoice) -> Iterator[Child]:
    """One for each account, as the standard says."""
    payment = invoice.payment
    if payment.means_code:
        for number, account in enumerate(payment.accounts or (None,)):
            # The text may be there only once.
            text = payment.means_text if number == 0 else None
            yield cac("PaymentMeans", _means(invoice, payment, account, text))


def _means(invoice: EInvoice, payment: Payment, account: Account | None, text: str | None) -> list[Child]:
    card = [cbc("PrimaryAccountNumberID", payment.card_number), cbc("NetworkID", _NETWORK)]
    mandate = [
        cbc("ID", payment.mandate),
        cac("PayerFinancialAccount", [cbc("ID", payment.debited_account)]),
    ]
    return [
        cbc("PaymentMeansCode", payment.means_code, name=text),
        cbc("PaymentDueDate", invoice.due_at) if invoice.is_credit_note else None,
        cbc("PaymentID", payment.reference),
        cac("CardAccount", [*card, cbc("HolderName", payment.card_holder)]) if payment.card_number else None,
        _account(account) if account else None,
        cac("PaymentMandate", mandate),
    ]


def _account(account: Account) -> Child:
    branch = cac("FinancialInstitutionBranch", [cbc("ID", account.bic)])
    return cac("PayeeFinancialAccount", [cbc("ID", account.number), cbc("Name", account.name), branch])


def _adjustments(adjustments: Iterable[Adjustment], currency: str | None, *, is_of_line: bool) -> Iterator[Child]:
    for each in adjustments:
        content = [
            cbc("ChargeIndicator", "true" if each.is_charge else "false"),
            cbc("AllowanceChargeReasonCode", each.reason_code),
            cbc("AllowanceChargeReason", each.reason),
            cbc("MultiplierFactorNumeric", each.percent),
            _money("Amount", each.amount, currency),
            _money("BaseAmount", each.base, currency),
            None if is_of_line else _category("TaxCategory", each.vat_category, each.vat_rate),
        ]
        yield cac("AllowanceCharge", content)


def _category(name: str, category: str | None, rate: Decimal | None, *reasons: Child) -> Child:
    return cac(name, [cbc("ID", category), cbc("Percent", rate), *reasons, _scheme()]) if category else None


def _breakdown(vat: VatBreakdown, currency: str | None) -> Child:
    reasons = cbc("TaxExemptionReasonCode", vat.exemption_code), cbc("TaxExemptionReason", vat.exemption_reason)
    content = [
        _money("TaxableAmount", vat.base, currency),
        _money("TaxAmount", vat.tax, currency),
        _category("TaxCategory", vat.category, vat.rate, *reasons),
    ]
    return cac("TaxSubtotal", content)


def _totals(invoice: EInvoice) -> Child:
    totals = invoice.totals
    amounts = {
        "LineExtensionAmount": totals.lines,
        "TaxExclusiveAmount": totals.net,
        "TaxInclusiveAmount": totals.gross,
        "AllowanceTotalAmount": totals.allowances,
        "ChargeTotalAmount": totals.charges,
        "PrepaidAmount": totals.paid,
        "PayableRoundingAmount": totals.rounding,
        "PayableAmount": totals.due,
    }
    return cac("LegalMonetaryTotal", [_money(name, amount, invoice.currency) for name, amount in amounts.items()])


def _money(name: str, amount: Decimal | None, currency: str | None) -> Child:
    return cbc(name, amount, currencyID=currency)


def _lines(invoice: EInvoice) -> Iterator[Child]:
    name, quantity = (
        ("CreditNoteLine", "CreditedQuantity") if invoice.is_credit_note else ("InvoiceLine", "InvoicedQuantity")
    )
    for line in invoice.lines:
        content = [
            cbc("ID", line.id),
            cbc("Note", line.note),
            cbc(quantity, line.quantity, unitCode=line.unit),
            _money("LineExtensionAmount", line.net, invoice.currency),
            _period(line.period),
            cac("OrderLineReference", [cbc("LineID", line.order_line)]),
            *_adjustments(line.adjustments, invoice.currency, is_of_line=True),
            _item(line),
            _price(line, invoice.currency),
        ]
        yield cac(name, content)


def _item(line: Line) -> Child:
    content = [
        cbc("Description", line.description),
        cbc("Name", line.name),
        cac("BuyersItemIdentification", [cbc("ID", line.buyer_item_id)]),
        cac("SellersItemIdentification", [cbc("ID", line.seller_item_id)]),
        cac("StandardItemIdentification", [_identifier("ID", line.standard_item_id)]),
        _category("ClassifiedTaxCategory", line.vat_category, line.vat_rate),
    ]
    return cac("Item", content)


def _price(line: Line, currency: str | None) -> Child:
    discount = [
        cbc("ChargeIndicator", "false"),
        _money("Amount", line.price_discount, currency),
        _money("BaseAmount", line.gross_price, currency),
    ]
    content = [
        _money("PriceAmount", line.price, currency),
        cbc("BaseQuantity", line.base_quantity, unitCode=line.base_unit),
        None if line.price_discount is None else cac("AllowanceCharge", discount),
    ]
    return cac("Price", content)
