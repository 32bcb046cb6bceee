"""Invoices and credit notes in UBL 2.1: Peppol BIS Billing, XRechnung, and Türkiye's UBL-TR."""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from serve_app.documents.einvoice.profiles import ubl_profile
from serve_app.documents.einvoice.xml import Element, sum_of
from serve_app.domain.einvoice import (
    Account,
    Address,
    Adjustment,
    Attachment,
    Contact,
    Delivery,
    EInvoice,
    EInvoiceSyntax,
    Identifier,
    Line,
    Party,
    Payment,
    Period,
    PrecedingInvoice,
    Totals,
    VatBreakdown,
)

INVOICE_NAMESPACE = "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
CREDIT_NOTE_NAMESPACE = "urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2"
_CREDITOR = "SEPA"
_VAT = "VAT"
_TURKISH_TAX_NUMBERS = ("VKN", "TCKN")
_TURKISH_RETURN = "IADE"
_PROJECT = "50"
"""Type code of the reference to a project in a credit note, which has no element of its own for it."""


def parse_ubl(root: Element) -> EInvoice:
    """An invoice or a credit note."""
    specification = root.text("CustomizationID")
    currency = root.text("DocumentCurrencyCode")
    tax_currency = root.text("TaxCurrencyCode")
    creditors = [each for each in root.all("AccountingSupplierParty|PayeeParty") if each]
    references = list(root.all("AdditionalDocumentReference"))
    return EInvoice(
        EInvoiceSyntax.UBL,
        ubl_profile(specification or ""),
        specification=specification,
        process=root.text("ProfileID"),
        number=root.text("ID"),
        issued_at=root.day("IssueDate"),
        type_code=_type_code(root),
        currency=currency,
        tax_currency=tax_currency,
        tax_point=root.day("TaxPointDate"),
        due_at=root.day("DueDate") or _last_due_date(root),
        buyer_reference=root.text("BuyerReference"),
        project=root.text("ProjectReference/ID") or _typed_reference(references, _PROJECT),
        contract=root.text("ContractDocumentReference/ID"),
        order=root.text("OrderReference/ID"),
        sales_order=root.text("OrderReference/SalesOrderID"),
        despatch_advice=root.text("DespatchDocumentReference/ID"),
        buyer_accounting_reference=root.text("AccountingCost"),
        notes=tuple(filter(None, (each.note() for each in root.all("Note")))),
        preceding=tuple(map(_preceding, root.all("BillingReference/InvoiceDocumentReference"))),
        seller=_party(root.at("AccountingSupplierParty/Party")) or Party(),
        buyer=_party(root.at("AccountingCustomerParty/Party")) or Party(),
        payee=_party(root.at("PayeeParty")),
        tax_representative=_party(root.at("TaxRepresentativeParty")),
        delivery=_delivery(root.at("Delivery")),
        period=_period(root.at("InvoicePeriod")),
        payment=_payment(root, creditors),
        adjustments=tuple(map(_adjustment, root.all("AllowanceCharge"))),
        totals=_totals(root, currency, tax_currency),
        vat=tuple(_breakdown(root, currency)),
        attachments=tuple(_attachment(each) for each in references if not each.raw("DocumentTypeCode")),
        lines=tuple(map(_line, root.all("InvoiceLine|CreditNoteLine"))),
    )


def _type_code(root: Element) -> str:
    """Türkiye has words for the types; a credit note may leave it out."""
    code = root.text("InvoiceTypeCode|CreditNoteTypeCode") or ""
    if code.isdigit():
        return code
    return "381" if root.name == "CreditNote" or code == _TURKISH_RETURN else "380"


def _last_due_date(root: Element) -> date | None:
    """Credit notes and instalments have it elsewhere."""
    places = ("PaymentMeans/PaymentDueDate", "PaymentTerms/PaymentDueDate")
    return max((day for path in places for each in root.all(path) if (day := each.day())), default=None)


def _typed_reference(references: list[Element], code: str) -> str | None:
    return next((each.text("ID") for each in references if each.raw("DocumentTypeCode") == code), None)


def _preceding(node: Element) -> PrecedingInvoice:
    return PrecedingInvoice(node.text("ID"), node.day("IssueDate"))


def _identifier(node: Element) -> Identifier | None:
    found = node.text()
    return Identifier(found, node.attribute("schemeID")) if found else None


def _party(node: Element) -> Party | None:
    if not node:
        return None
    identifiers = tuple(filter(None, map(_identifier, node.all("PartyIdentification/ID"))))
    vat_id, tax_number = _tax_numbers(node)
    registered, trading = node.text("PartyLegalEntity/RegistrationName"), node.text("PartyName/Name")
    return Party(
        name=registered or trading or _person(node.at("Person")),
        trading_name=trading if registered else None,
        identifiers=tuple(each for each in identifiers if each.scheme not in (_CREDITOR, *_TURKISH_TAX_NUMBERS)),
        registration=_identifier(node.at("PartyLegalEntity/CompanyID")),
        vat_id=vat_id or next((each.value for each in identifiers if each.scheme in _TURKISH_TAX_NUMBERS), None),
        tax_number=tax_number,
        legal_information=node.note("PartyLegalEntity/CompanyLegalForm"),
        electronic_address=_identifier(node.at("EndpointID")),
        address=_address(node.at("PostalAddress")),
        contact=_contact(node.at("Contact")),
    )


def _person(node: Element) -> str | None:
    return " ".join(filter(None, (node.text("FirstName"), node.text("FamilyName")))) or None


def _tax_numbers(party: Element) -> tuple[str | None, str | None]:
    """That for VAT, and another one. A payee has none."""
    schemes = [(each.text("TaxScheme/ID"), each.text("CompanyID")) for each in party.all("PartyTaxScheme")]
    vat = next((number for scheme, number in schemes if scheme == _VAT), None)
    return vat, next((number for scheme, number in schemes if scheme != _VAT), None)


def _address(node: Element) -> Address | None:
    if not node:
        return None
    number = node.text("BuildingNumber")
    return Address(
        line_1=" ".join(filter(None, (node.text("StreetName"), number))) or None,
        line_2=node.text("AdditionalStreetName") or node.text("CitySubdivisionName"),
        line_3=node.text("AddressLine/Line"),
        city=node.text("CityName"),
        postal_code=node.text("PostalZone"),
        subdivision=node.text("CountrySubentity"),
        country=node.text("Country/IdentificationCode"),
    )


def _contact(node: Element) -> Contact | None:
    return Contact(node.text("Name"), node.text("Telephone"), node.text("ElectronicMail")) if node else None


def _delivery(node: Element) -> Delivery | None:
    if not node:
        return None
    place = node.at("DeliveryLocation")
    return Delivery(
        name=node.text("DeliveryParty/PartyName/Name"),
        location=_identifier(place.at("ID")),
        delivered_at=node.day("ActualDeliveryDate"),
        address=_address(place.at("Address")),
    )


def _period(node: Element) -> Period | None:
    found = Period(node.day("StartDate"), node.day("EndDate"))
    return found if found != Period() else None


def _payment(root: Element, creditors: list[Element]) -> Payment:
    means = root.at("PaymentMeans")
    code = means.at("PaymentMeansCode")
    references = (each.text("PaymentID") for each in root.all("PaymentMeans"))
    terms = filter(None, (each.note("Note") for each in root.all("PaymentTerms")))
    return Payment(
        means_code=code.text(),
        means_text=code.attribute("name") or means.text("InstructionNote"),
        reference=next(filter(None, references), None),
        accounts=tuple(filter(None, map(_account, root.all("PaymentMeans/PayeeFinancialAccount")))),
        card_number=means.text("CardAccount/PrimaryAccountNumberID"),
        card_holder=means.text("CardAccount/HolderName"),
        mandate=means.text("PaymentMandate/ID"),
        creditor_id=next(filter(None, map(_creditor_id, creditors)), None),
        debited_account=means.text("PaymentMandate/PayerFinancialAccount/ID"),
        terms="\n".join(dict.fromkeys(terms)) or None,
    )


def _creditor_id(party: Element) -> str | None:
    identifiers = [*party.all("Party/PartyIdentification/ID"), *party.all("PartyIdentification/ID")]
    return next((each.text() for each in identifiers if each.attribute("schemeID") == _CREDITOR), None)


def _account(node: Element) -> Account | None:
    number = node.text("ID")
    return Account(number, node.text("Name"), node.text("FinancialInstitutionBranch/ID")) if number else None


def _adjustment(node: Element) -> Adjustment:
    return Adjustment(
        is_charge=node.raw("ChargeIndicator") in ("true", "1"),
        amount=node.amount("Amount"),
        base=node.amount("BaseAmount"),
        percent=node.amount("MultiplierFactorNumeric"),
        vat_category=node.text("TaxCategory/ID"),
        vat_rate=node.amount("TaxCategory/Percent"),
        reason=node.text("AllowanceChargeReason"),
        reason_code=node.text("AllowanceChargeReasonCode"),
    )


def _totals(root: Element, currency: str | None, tax_currency: str | None) -> Totals:
    node = root.at("LegalMonetaryTotal")
    return Totals(
        lines=node.amount("LineExtensionAmount"),
        allowances=node.amount("AllowanceTotalAmount"),
        charges=node.amount("ChargeTotalAmount"),
        net=node.amount("TaxExclusiveAmount"),
        tax=_tax(root, {None, currency}),
        tax_in_accounting_currency=_tax(root, {tax_currency} - {None, currency}),
        gross=node.amount("TaxInclusiveAmount"),
        paid=node.amount("PrepaidAmount"),
        rounding=node.amount("PayableRoundingAmount"),
        due=node.amount("PayableAmount"),
        withheld=sum_of(each.amount() for each in root.all("WithholdingTaxTotal/TaxAmount")),
    )


def _tax(root: Element, currencies: set[str | None]) -> Decimal | None:
    """The tax in the invoice's currency or in that of accounting, which stand beside each other."""
    amounts = root.all("TaxTotal/TaxAmount")
    return next((each.amount() for each in amounts if each.attribute("currencyID") in currencies), None)


def _breakdown(root: Element, currency: str | None) -> Iterator[VatBreakdown]:
    for each in root.all("TaxTotal/TaxSubtotal"):
        if each.at("TaxAmount").attribute("currencyID") in (None, currency):
            category = each.at("TaxCategory")
            yield VatBreakdown(
                base=each.amount("TaxableAmount"),
                tax=each.amount("TaxAmount"),
                category=category.text("ID"),
                rate=_first_amount(category.amount("Percent"), each.amount("Percent")),
                exemption_reason=category.note("TaxExemptionReason"),
                exemption_code=category.text("TaxExemptionReasonCode"),
            )


def _first_amount(*amounts: Decimal | None) -> Decimal | None:
    return next((amount for amount in amounts if amount is not None), None)


def _attachment(node: Element) -> Attachment:
    file_name = node.at("Attachment/EmbeddedDocumentBinaryObject").attribute("filename")
    return Attachment(node.text("ID"), node.note("DocumentDescription"), file_name)


def _line(node: Element) -> Line:
    quantity, item, price = node.at("InvoicedQuantity|CreditedQuantity"), node.at("Item"), node.at("Price")
    base = price.at("BaseQuantity")
    taxes = "TaxTotal/TaxSubtotal"
    return Line(
        id=node.text("ID"),
        name=item.note("Name"),
        description=item.note("Description"),
        note=node.note("Note"),
        seller_item_id=item.text("SellersItemIdentification/ID"),
        buyer_item_id=item.text("BuyersItemIdentification/ID"),
        standard_item_id=_identifier(item.at("StandardItemIdentification/ID")),
        order_line=node.text("OrderLineReference/LineID"),
        quantity=quantity.amount(),
        unit=quantity.attribute("unitCode"),
        net=node.amount("LineExtensionAmount"),
        price=price.amount("PriceAmount"),
        price_discount=price.amount("AllowanceCharge/Amount"),
        gross_price=price.amount("AllowanceCharge/BaseAmount"),
        base_quantity=base.amount(),
        base_unit=base.attribute("unitCode"),
        vat_category=item.text("ClassifiedTaxCategory/ID"),
        vat_rate=_first_amount(
            item.amount("ClassifiedTaxCategory/Percent"),
            node.amount(f"{taxes}/TaxCategory/Percent"),
            node.amount(f"{taxes}/Percent"),
        ),
        adjustments=tuple(map(_adjustment, node.all("AllowanceCharge"))),
        period=_period(node.at("InvoicePeriod")),
    )
