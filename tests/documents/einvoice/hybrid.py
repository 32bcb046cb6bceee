"""PDFs with attachments, and the XML of small electronic invoices."""

from io import BytesIO

from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, NameObject, create_string_object

from tests.support.pdfs import drawn, write_lines

CII = "urn:un:unece:uncefact:data:standard"
EN16931 = "urn:cen.eu:en16931:2017"


def pdf_with(*attachments: tuple[str, bytes], only_associated: bool = False) -> bytes:
    """A page with the attachments; `only_associated`: listed in the catalogue alone (PDF/A-3)."""
    writer = PdfWriter(PdfReader(BytesIO(drawn(write_lines))))
    files = []
    for name, data in attachments:
        attachment = writer.add_attachment("x" if only_associated else name, data)
        attachment.alternative_name = create_string_object(name)  # type: ignore[assignment]
        files.append(attachment.pdf_object)
    if only_associated:
        del writer.root_object["/Names"]
        writer.root_object[NameObject("/AF")] = ArrayObject(writer._add_object(file) for file in files)
    buffer = BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def cii(guideline: str = EN16931, number: str = "INV-17", head: str = "", **settlement: str) -> bytes:
    """A Cross Industry Invoice of Factur-X and ZUGFeRD 2; `head` comes before the root element."""
    total = settlement.get("total", "54.00")
    return f"""<?xml version="1.0" encoding="UTF-8"?>{head}
<rsm:CrossIndustryInvoice xmlns:rsm="{CII}:CrossIndustryInvoice:100"
    xmlns:ram="{CII}:ReusableAggregateBusinessInformationEntity:100" xmlns:udt="{CII}:UnqualifiedDataType:100">
  <rsm:ExchangedDocumentContext><ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>{guideline}</ram:ID>
  </ram:GuidelineSpecifiedDocumentContextParameter></rsm:ExchangedDocumentContext>
  <rsm:ExchangedDocument><ram:ID> {number} </ram:ID><ram:TypeCode>380</ram:TypeCode>
    <ram:IssueDateTime><udt:DateTimeString format="102">20240305</udt:DateTimeString></ram:IssueDateTime>
  </rsm:ExchangedDocument>
  <rsm:SupplyChainTradeTransaction>
    <ram:ApplicableHeaderTradeAgreement>
      <ram:SellerTradeParty><ram:Name>Northwind
        Traders Ltd</ram:Name>
        <ram:SpecifiedTaxRegistration><ram:ID schemeID="FC">201/113/40209</ram:ID></ram:SpecifiedTaxRegistration>
        <ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">DE 136 695 976</ram:ID></ram:SpecifiedTaxRegistration>
      </ram:SellerTradeParty>
      <ram:BuyerTradeParty><ram:Name>Buyer</ram:Name></ram:BuyerTradeParty>
    </ram:ApplicableHeaderTradeAgreement>
    <ram:ApplicableHeaderTradeSettlement>
      <ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>
      <ram:SpecifiedTradeSettlementPaymentMeans>
        <ram:PayerPartyDebtorFinancialAccount><ram:IBANID>DE02120300000000202051</ram:IBANID>
        </ram:PayerPartyDebtorFinancialAccount>
        <ram:PayeePartyCreditorFinancialAccount><ram:IBANID>DE88 2008 0000 0970 3757 00</ram:IBANID>
        </ram:PayeePartyCreditorFinancialAccount>
      </ram:SpecifiedTradeSettlementPaymentMeans>
      <ram:SpecifiedTradePaymentTerms><ram:DueDateDateTime>
        <udt:DateTimeString format="102">20240315</udt:DateTimeString></ram:DueDateDateTime>
      </ram:SpecifiedTradePaymentTerms>
      <ram:SpecifiedTradePaymentTerms><ram:DueDateDateTime>
        <udt:DateTimeString format="102">20240404</udt:DateTimeString></ram:DueDateDateTime>
      </ram:SpecifiedTradePaymentTerms>
      <ram:SpecifiedTradeSettlementHeaderMonetarySummation>
        <ram:TaxTotalAmount currencyID="GBP">7.70</ram:TaxTotalAmount>
        <ram:TaxTotalAmount currencyID="EUR">9.00</ram:TaxTotalAmount>
        <ram:GrandTotalAmount>{total}</ram:GrandTotalAmount>
      </ram:SpecifiedTradeSettlementHeaderMonetarySummation>
    </ram:ApplicableHeaderTradeSettlement>
  </rsm:SupplyChainTradeTransaction>
</rsm:CrossIndustryInvoice>""".encode()


def first_zugferd(level: str = "comfort") -> bytes:
    """An invoice of ZUGFeRD 1."""
    ram = "urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:12"
    return f"""<rsm:CrossIndustryDocument xmlns:rsm="urn:ferd:CrossIndustryDocument:invoice:1p0" xmlns:ram="{ram}"
    xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:15">
  <rsm:SpecifiedExchangedDocumentContext><ram:GuidelineSpecifiedDocumentContextParameter>
    <ram:ID>urn:ferd:CrossIndustryDocument:invoice:1p0:{level}</ram:ID>
  </ram:GuidelineSpecifiedDocumentContextParameter></rsm:SpecifiedExchangedDocumentContext>
  <rsm:HeaderExchangedDocument><ram:ID>471102</ram:ID>
    <ram:IssueDateTime><udt:DateTimeString format="102">20130305</udt:DateTimeString></ram:IssueDateTime>
  </rsm:HeaderExchangedDocument>
  <rsm:SpecifiedSupplyChainTradeTransaction>
    <ram:ApplicableSupplyChainTradeAgreement><ram:SellerTradeParty><ram:Name>Warenhaus Nord GmbH</ram:Name>
    </ram:SellerTradeParty></ram:ApplicableSupplyChainTradeAgreement>
    <ram:ApplicableSupplyChainTradeSettlement><ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>
      <ram:SpecifiedTradeSettlementMonetarySummation>
        <ram:TaxTotalAmount currencyID="EUR">37.62</ram:TaxTotalAmount>
        <ram:GrandTotalAmount currencyID="EUR">235.62</ram:GrandTotalAmount>
      </ram:SpecifiedTradeSettlementMonetarySummation>
    </ram:ApplicableSupplyChainTradeSettlement>
  </rsm:SpecifiedSupplyChainTradeTransaction>
</rsm:CrossIndustryDocument>""".encode()
