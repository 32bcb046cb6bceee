"""Cross Industry Invoices (UN/CEFACT CII), the XML of Factur-X, ZUGFeRD and XRechnung.

Where ZUGFeRD 1 has another name for an element, the path gives both.
"""

from collections.abc import Iterator
from decimal import Decimal

from serve_app.documents.einvoice.profiles import cii_profile
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

FIRST_NAMESPACE = "urn:ferd:CrossIndustryDocument:invoice:1p0"
"""That of ZUGFeRD 1 (2014)."""
NAMESPACE = "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"
"""That of ZUGFeRD 2 and Factur-X (since 2017)."""
_RATE = "RateApplicablePercent|ApplicablePercent"
_DATE = "DateTimeString|DateString"
_LINES = "IncludedSupplyChainTradeLineItem"
_LINE_NOTE = "AssociatedDocumentLineDocument/IncludedNote/Content"
_LINE_TOTAL = (
    "SpecifiedLineTradeSettlement|SpecifiedSupplyChainTradeSettlement"
    "/SpecifiedTradeSettlementLineMonetarySummation|SpecifiedTradeSettlementMonetarySummation/LineTotalAmount"
)
_NOT_CHARGED = ("GROUP", "INFORMATION")
_ATTACHED = "916"
"""Type (UNTDID 1001) of a reference to a supporting document; others refer to a tender or to the item invoiced."""


def parse_cii(root: Element) -> EInvoice:
    """One invoice."""
    trade = root.at("SupplyChainTradeTransaction|SpecifiedSupplyChainTradeTransaction")
    agreement = trade.at("ApplicableHeaderTradeAgreement|ApplicableSupplyChainTradeAgreement")
    settlement = trade.at("ApplicableHeaderTradeSettlement|ApplicableSupplyChainTradeSettlement")
    delivery = trade.at("ApplicableHeaderTradeDelivery|ApplicableSupplyChainTradeDelivery")
    context = root.at("ExchangedDocumentContext|SpecifiedExchangedDocumentContext")
    document = root.at("ExchangedDocument|HeaderExchangedDocument")
    specification = context.text("GuidelineSpecifiedDocumentContextParameter/ID")
    currency = settlement.text("InvoiceCurrencyCode")
    terms = list(settlement.all("SpecifiedTradePaymentTerms"))
    due = [day for each in terms if (day := each.day(f"DueDateDateTime/{_DATE}"))]
    return EInvoice(
        EInvoiceSyntax.CII,
        cii_profile(specification or "", is_first_version=root.namespace == FIRST_NAMESPACE),
        specification=specification,
        process=context.text("BusinessProcessSpecifiedDocumentContextParameter/ID"),
        number=document.text("ID"),
        issued_at=document.day(f"IssueDateTime/{_DATE}"),
        type_code=document.text("TypeCode"),
        currency=currency,
        tax_currency=settlement.text("TaxCurrencyCode"),
        tax_point=settlement.day(f"ApplicableTradeTax/TaxPointDate/{_DATE}"),
        due_at=max(due, default=None),
        buyer_reference=agreement.text("BuyerReference"),
        project=agreement.text("SpecifiedProcuringProject/ID"),
        contract=agreement.text("ContractReferencedDocument/IssuerAssignedID|ID"),
        order=agreement.text("BuyerOrderReferencedDocument/IssuerAssignedID|ID"),
        sales_order=agreement.text("SellerOrderReferencedDocument/IssuerAssignedID|ID"),
        despatch_advice=delivery.text("DespatchAdviceReferencedDocument/IssuerAssignedID|ID"),
        buyer_accounting_reference=settlement.text("ReceivableSpecifiedTradeAccountingAccount/ID"),
        notes=tuple(_notes(document, trade)),
        preceding=tuple(map(_preceding, settlement.all("InvoiceReferencedDocument"))),
        seller=_party(agreement.at("SellerTradeParty")) or Party(),
        buyer=_party(agreement.at("BuyerTradeParty")) or Party(),
        payee=_party(settlement.at("PayeeTradeParty")),
        tax_representative=_party(agreement.at("SellerTaxRepresentativeTradeParty")),
        delivery=_delivery(delivery),
        period=_period(settlement.at("BillingSpecifiedPeriod")),
        payment=_payment(settlement, terms),
        adjustments=tuple(_adjustments(settlement)),
        totals=_totals(settlement, currency),
        vat=tuple(map(_vat, settlement.all("ApplicableTradeTax"))),
        attachments=tuple(_attachments(agreement)),
        lines=tuple(_line(each) for each in trade.all(_LINES) if _is_charged(each)),
    )


def _notes(document: Element, trade: Element) -> Iterator[str]:
    """Those of the document, and of lines that are only text."""
    texts = [*document.all("IncludedNote/Content")]
    for line in trade.all(_LINES):
        if _is_text(line):
            texts += line.all(_LINE_NOTE)
    return filter(None, (each.note() for each in texts))


def _is_charged(line: Element) -> bool:
    """Other lines are only text, or the sum of lines below them."""
    status = line.raw("AssociatedDocumentLineDocument/LineStatusReasonCode")
    return not _is_text(line) and status not in _NOT_CHARGED


def _is_text(line: Element) -> bool:
    return not line.at("SpecifiedTradeProduct") and not line.raw(_LINE_TOTAL)


def _preceding(node: Element) -> PrecedingInvoice:
    return PrecedingInvoice(node.text("IssuerAssignedID|ID"), node.day(f"FormattedIssueDateTime/{_DATE}"))


def _identifier(node: Element) -> Identifier | None:
    found = node.text()
    return Identifier(found, node.attribute("schemeID")) if found else None


def _party(node: Element) -> Party | None:
    if not node:
        return None
    taxes = {each.attribute("schemeID"): each.text() for each in node.all("SpecifiedTaxRegistration/ID")}
    return Party(
        name=node.text("Name"),
        trading_name=node.text("SpecifiedLegalOrganization/TradingBusinessName"),
        identifiers=tuple(filter(None, map(_identifier, node.all("ID|GlobalID")))),
        registration=_identifier(node.at("SpecifiedLegalOrganization/ID")),
        vat_id=taxes.get("VA"),
        tax_number=taxes.get("FC"),
        legal_information=node.note("Description"),
        electronic_address=_identifier(node.at("URIUniversalCommunication/URIID")),
        address=_address(node.at("PostalTradeAddress")),
        contact=_contact(node.at("DefinedTradeContact")),
    )


def _address(node: Element) -> Address | None:
    if not node:
        return None
    return Address(
        line_1=node.text("LineOne"),
        line_2=node.text("LineTwo"),
        line_3=node.text("LineThree"),
        city=node.text("CityName"),
        postal_code=node.text("PostcodeCode"),
        subdivision=node.text("CountrySubDivisionName"),
        country=node.text("CountryID"),
    )


def _contact(node: Element) -> Contact | None:
    if not node:
        return None
    return Contact(
        name=node.text("PersonName") or node.text("DepartmentName"),
        phone=node.text("TelephoneUniversalCommunication/CompleteNumber"),
        email=node.text("EmailURIUniversalCommunication/URIID"),
    )


def _delivery(node: Element) -> Delivery | None:
    receiver = node.at("ShipToTradeParty")
    delivered_at = node.day(f"ActualDeliverySupplyChainEvent/OccurrenceDateTime/{_DATE}")
    if not receiver and delivered_at is None:
        return None
    return Delivery(
        name=receiver.text("Name"),
        location=_identifier(receiver.at("GlobalID|ID")),
        delivered_at=delivered_at,
        address=_address(receiver.at("PostalTradeAddress")),
    )


def _period(node: Element) -> Period | None:
    found = Period(node.day(f"StartDateTime/{_DATE}"), node.day(f"EndDateTime/{_DATE}"))
    return found if found != Period() else None


def _payment(settlement: Element, terms: list[Element]) -> Payment:
    means = settlement.at("SpecifiedTradeSettlementPaymentMeans")
    accounts = (_account(each) for each in settlement.all("SpecifiedTradeSettlementPaymentMeans"))
    texts = filter(None, (each.note("Description") for each in terms))
    return Payment(
        means_code=means.text("TypeCode"),
        means_text=means.text("Information"),
        reference=settlement.text("PaymentReference"),
        accounts=tuple(filter(None, accounts)),
        card_number=means.text("ApplicableTradeSettlementFinancialCard/ID"),
        card_holder=means.text("ApplicableTradeSettlementFinancialCard/CardholderName"),
        mandate=settlement.text("SpecifiedTradePaymentTerms/DirectDebitMandateID"),
        creditor_id=settlement.text("CreditorReferenceID"),
        debited_account=means.text("PayerPartyDebtorFinancialAccount/IBANID"),
        terms="\n".join(dict.fromkeys(texts)) or None,
    )


def _account(means: Element) -> Account | None:
    payee = means.at("PayeePartyCreditorFinancialAccount")
    number = payee.text("IBANID") or payee.text("ProprietaryID")
    bic = means.text("PayeeSpecifiedCreditorFinancialInstitution/BICID")
    return Account(number, payee.text("AccountName"), bic) if number else None


def _adjustments(settlement: Element) -> Iterator[Adjustment]:
    yield from map(_adjustment, settlement.all("SpecifiedTradeAllowanceCharge"))
    for each in settlement.all("SpecifiedLogisticsServiceCharge"):
        tax = each.at("AppliedTradeTax")
        yield Adjustment(
            is_charge=True,
            amount=each.amount("AppliedAmount"),
            vat_category=tax.text("CategoryCode"),
            vat_rate=tax.amount(_RATE),
            reason=each.text("Description"),
        )


def _adjustment(node: Element) -> Adjustment:
    tax = node.at("CategoryTradeTax")
    return Adjustment(
        is_charge=node.raw("ChargeIndicator/Indicator") in ("true", "1"),
        amount=node.amount("ActualAmount"),
        base=node.amount("BasisAmount"),
        percent=node.amount("CalculationPercent"),
        vat_category=tax.text("CategoryCode"),
        vat_rate=tax.amount(_RATE),
        reason=node.text("Reason"),
        reason_code=node.text("ReasonCode"),
    )


def _totals(settlement: Element, currency: str | None) -> Totals:
    node = settlement.at("SpecifiedTradeSettlementHeaderMonetarySummation|SpecifiedTradeSettlementMonetarySummation")
    return Totals(
        lines=node.amount("LineTotalAmount"),
        allowances=node.amount("AllowanceTotalAmount"),
        charges=node.amount("ChargeTotalAmount"),
        net=node.amount("TaxBasisTotalAmount"),
        tax=_tax(node, {None, currency}),
        tax_in_accounting_currency=_tax(node, {settlement.text("TaxCurrencyCode")} - {None, currency}),
        gross=node.amount("GrandTotalAmount"),
        paid=node.amount("TotalPrepaidAmount"),
        rounding=node.amount("RoundingAmount"),
        due=node.amount("DuePayableAmount"),
    )


def _tax(totals: Element, currencies: set[str | None]) -> Decimal | None:
    """The tax in the invoice's currency or in that of accounting, which stand beside each other."""
    amounts = totals.all("TaxTotalAmount")
    return next((each.amount() for each in amounts if each.attribute("currencyID") in currencies), None)


def _vat(node: Element) -> VatBreakdown:
    return VatBreakdown(
        base=node.amount("BasisAmount"),
        tax=node.amount("CalculatedAmount"),
        category=node.text("CategoryCode"),
        rate=node.amount(_RATE),
        exemption_reason=node.note("ExemptionReason"),
        exemption_code=node.text("ExemptionReasonCode"),
    )


def _attachments(agreement: Element) -> Iterator[Attachment]:
    for each in agreement.all("AdditionalReferencedDocument"):
        if each.text("TypeCode") in (None, _ATTACHED):
            file_name = each.at("AttachmentBinaryObject").attribute("filename")
            yield Attachment(each.text("IssuerAssignedID|ID"), each.note("Name"), file_name)


def _line(node: Element) -> Line:
    product = node.at("SpecifiedTradeProduct")
    agreement = node.at("SpecifiedLineTradeAgreement|SpecifiedSupplyChainTradeAgreement")
    settlement = node.at("SpecifiedLineTradeSettlement|SpecifiedSupplyChainTradeSettlement")
    quantity = node.at("SpecifiedLineTradeDelivery|SpecifiedSupplyChainTradeDelivery").at("BilledQuantity")
    gross, price = agreement.at("GrossPriceProductTradePrice"), agreement.at("NetPriceProductTradePrice")
    base = price.at("BasisQuantity") or gross.at("BasisQuantity")
    return Line(
        id=node.text("AssociatedDocumentLineDocument/LineID"),
        name=product.note("Name"),
        description=product.note("Description"),
        note=node.note(_LINE_NOTE),
        seller_item_id=product.text("SellerAssignedID"),
        buyer_item_id=product.text("BuyerAssignedID"),
        standard_item_id=_identifier(product.at("GlobalID")),
        order_line=agreement.text("BuyerOrderReferencedDocument/LineID"),
        quantity=quantity.amount(),
        unit=quantity.attribute("unitCode"),
        net=node.amount(_LINE_TOTAL),
        price=price.amount("ChargeAmount"),
        price_discount=sum_of(each.amount() for each in gross.all("AppliedTradeAllowanceCharge/ActualAmount")),
        gross_price=gross.amount("ChargeAmount"),
        base_quantity=base.amount(),
        base_unit=base.attribute("unitCode"),
        vat_category=settlement.text("ApplicableTradeTax/CategoryCode"),
        vat_rate=settlement.amount(f"ApplicableTradeTax/{_RATE}"),
        adjustments=tuple(map(_adjustment, settlement.all("SpecifiedTradeAllowanceCharge"))),
        period=_period(settlement.at("BillingSpecifiedPeriod")),
    )
