"""Spain's Facturae 3.2.x."""

from collections.abc import Iterator

from babel.core import get_global

from serve_app.documents.einvoice.xml import Element
from serve_app.domain.einvoice import (
    Account,
    Address,
    Adjustment,
    Attachment,
    Contact,
    EInvoice,
    EInvoiceSyntax,
    Line,
    Party,
    Payment,
    Period,
    PrecedingInvoice,
    Totals,
    VatBreakdown,
)

NAMESPACES = ("http://www.facturae.es/Facturae/", "http://www.facturae.gob.es/formato/Versiones/Facturae")
"""How they begin; the version follows."""
_CORRECTIONS = {"OR", "CR"}
"""Corrections, as originals and as copies."""
_CREDIT, _CORRECTED, _INVOICE = "381", "384", "380"
# VAT, and the taxes of Ceuta, Melilla and the Canary Islands in its place, as categories (UNTDID 5305).
_CATEGORIES = {"01": "S", "02": "M", "03": "L"}
# The kinds of payment as UNTDID 4461.
_MEANS = {"01": "10", "02": "59", "04": "30", "19": "48"}


def parse_facturae(root: Element) -> EInvoice:
    """The first invoice of the file."""
    parties, invoice = root.at("Parties"), root.at("Invoices/Invoice")
    header, issued, totals = invoice.at("InvoiceHeader"), invoice.at("InvoiceIssueData"), invoice.at("InvoiceTotals")
    assignment = root.at("FileHeader/FactoringAssignmentData")
    instalments = [*assignment.all("PaymentDetails/Installment"), *invoice.all("PaymentDetails/Installment")]
    version = root.text("FileHeader/SchemaVersion")
    return EInvoice(
        EInvoiceSyntax.FACTURAE,
        f"Facturae {version or ''}".strip(),
        specification=version,
        number=_number(header),
        issued_at=issued.day("IssueDate"),
        type_code=_type_code(header, totals),
        currency=issued.text("InvoiceCurrencyCode"),
        tax_currency=issued.text("TaxCurrencyCode"),
        tax_point=issued.day("OperationDate"),
        due_at=max((day for each in instalments if (day := each.day("InstallmentDueDate"))), default=None),
        contract=invoice.text("Items/InvoiceLine/ReceiverContractReference"),
        order=invoice.text("Items/InvoiceLine/ReceiverTransactionReference"),
        notes=tuple(_notes(invoice)),
        preceding=tuple(PrecedingInvoice(_number(each)) for each in header.all("Corrective")),
        seller=_party(parties.at("SellerParty")),
        buyer=_party(parties.at("BuyerParty")),
        payee=_party(assignment.at("Assignee")) if assignment.at("Assignee") else None,
        period=_period(issued.at("InvoicingPeriod")),
        payment=_payment(instalments),
        adjustments=tuple(_adjustments(totals, "GeneralDiscounts/Discount", "GeneralSurcharges/Charge")),
        totals=_totals(totals),
        vat=tuple(map(_vat, invoice.all("TaxesOutputs/Tax"))),
        attachments=tuple(
            Attachment(description=each.note("AttachmentDescription"))
            for each in invoice.all("AdditionalData/RelatedDocuments/Attachment")
        ),
        lines=tuple(map(_line, invoice.all("Items/InvoiceLine"))),
    )


def _number(node: Element) -> str | None:
    """The series belongs to the number; some programs write it into the number as well."""
    number, series = node.text("InvoiceNumber"), node.text("InvoiceSeriesCode")
    if not number or not series or number.startswith(series):
        return number
    return f"{series}-{number}"


def _type_code(header: Element, totals: Element) -> str:
    """A correction states the difference, which is a credit if it is negative."""
    if header.raw("InvoiceClass") not in _CORRECTIONS:
        return _INVOICE
    total = totals.amount("InvoiceTotal")
    return _CREDIT if total is not None and total < 0 else _CORRECTED


def _notes(invoice: Element) -> Iterator[str]:
    texts = [*invoice.all("LegalLiterals/LegalReference"), *invoice.all("AdditionalData/InvoiceAdditionalInformation")]
    return filter(None, (each.note() for each in texts))


def _party(node: Element) -> Party:
    entity = node.at("LegalEntity|Individual")
    contact, address = entity.at("ContactDetails"), entity.at("AddressInSpain|OverseasAddress")
    return Party(
        name=entity.text("CorporateName") or _person(entity),
        trading_name=entity.text("TradeName"),
        vat_id=node.text("TaxIdentification/TaxIdentificationNumber"),
        address=_address(address) if address else None,
        contact=_contact(contact) if contact else None,
    )


def _person(node: Element) -> str | None:
    return " ".join(filter(None, map(node.text, ("Name", "FirstSurname", "SecondSurname")))) or None


def _address(node: Element) -> Address:
    """Abroad, postcode and town are one text."""
    return Address(
        line_1=node.text("Address"),
        city=node.text("Town") or node.text("PostCodeAndTown"),
        postal_code=node.text("PostCode"),
        subdivision=node.text("Province"),
        country=_country(node.text("CountryCode")),
    )


def _country(code: str | None) -> str | None:
    """In two letters; Facturae has three."""
    found = get_global("territory_aliases").get(code or "", [])
    return found[0] if len(found) == 1 else code


def _contact(node: Element) -> Contact:
    return Contact(node.text("ContactPersons"), node.text("Telephone"), node.text("ElectronicMail"))


def _period(node: Element) -> Period | None:
    found = Period(node.day("StartDate"), node.day("EndDate"))
    return found if found != Period() else None


def _payment(instalments: list[Element]) -> Payment:
    kind = next(filter(None, (each.text("PaymentMeans") for each in instalments)), None)
    accounts = (_account(account) for each in instalments for account in each.all("AccountToBeCredited"))
    debited = next(filter(None, (each.text("AccountToBeDebited/IBAN") for each in instalments)), None)
    return Payment(
        means_code=_MEANS.get(kind or ""),
        accounts=tuple(dict.fromkeys(filter(None, accounts))),
        debited_account=debited,
    )


def _account(node: Element) -> Account | None:
    number = node.text("IBAN") or node.text("AccountNumber")
    return Account(number, bic=node.text("BIC")) if number else None


def _adjustments(node: Element, discounts: str, charges: str) -> Iterator[Adjustment]:
    for each in node.all(discounts):
        yield Adjustment(
            is_charge=False,
            amount=each.amount("DiscountAmount"),
            percent=each.amount("DiscountRate"),
            reason=each.text("DiscountReason"),
        )
    for each in node.all(charges):
        yield Adjustment(
            is_charge=True,
            amount=each.amount("ChargeAmount"),
            percent=each.amount("ChargeRate"),
            reason=each.text("ChargeReason"),
        )


def _totals(node: Element) -> Totals:
    return Totals(
        lines=node.amount("TotalGrossAmount"),
        allowances=node.amount("TotalGeneralDiscounts"),
        charges=node.amount("TotalGeneralSurcharges"),
        net=node.amount("TotalGrossAmountBeforeTaxes"),
        tax=node.amount("TotalTaxOutputs"),
        gross=node.amount("InvoiceTotal"),
        paid=node.amount("TotalPaymentsOnAccount"),
        due=node.amount("TotalExecutableAmount"),
        withheld=node.amount("TotalTaxesWithheld"),
    )


def _vat(node: Element) -> VatBreakdown:
    return VatBreakdown(
        base=node.amount("TaxableBase/TotalAmount"),
        tax=node.amount("TaxAmount/TotalAmount"),
        category=_category(node),
        rate=node.amount("TaxRate"),
    )


def _category(tax: Element) -> str | None:
    """A rate of zero has many reasons."""
    return _CATEGORIES.get(tax.raw("TaxTypeCode")) if tax.amount("TaxRate") else None


def _line(node: Element) -> Line:
    return Line(
        id=node.text("SequenceNumber"),
        name=node.note("ItemDescription"),
        description=node.note("AdditionalLineItemInformation"),
        seller_item_id=node.text("ArticleCode"),
        quantity=node.amount("Quantity"),
        unit=node.text("UnitOfMeasure"),
        net=node.amount("GrossAmount"),
        price=node.amount("UnitPriceWithoutTax"),
        vat_category=_category(node.at("TaxesOutputs/Tax")),
        vat_rate=node.amount("TaxesOutputs/Tax/TaxRate"),
        adjustments=tuple(_adjustments(node, "DiscountsAndRebates/Discount", "Charges/Charge")),
        period=_period(node.at("LineItemPeriod")),
    )
