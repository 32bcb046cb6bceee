"""From the bytes of an electronic invoice to its record, whatever the syntax."""

from collections.abc import Callable
from dataclasses import dataclass

from serve_app.documents.einvoice import cfdi, cii, facturae, fatturapa, ksef, nfe, ubl
from serve_app.documents.einvoice.xml import Element, UnsafeXmlError, parse
from serve_app.domain.einvoice import MAX_LINES, EInvoice, Totals
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode
from serve_app.domain.plain_text import one_line, shortened


@dataclass(frozen=True, slots=True)
class _Syntax:
    """`namespaces` are how the root's may begin; `lines` and `invoices` are the paths of all lines and, where a
    file may contain several, of all invoices."""

    namespaces: tuple[str, ...]
    parse: Callable[[Element], EInvoice]
    lines: str
    invoices: str = ""


_CII_LINES = "SupplyChainTradeTransaction|SpecifiedSupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem"
# By the local name of the root element.
_SYNTAXES = {
    "Invoice": _Syntax((ubl.INVOICE_NAMESPACE,), ubl.parse_ubl, "InvoiceLine"),
    "CreditNote": _Syntax((ubl.CREDIT_NOTE_NAMESPACE,), ubl.parse_ubl, "CreditNoteLine"),
    "CrossIndustryInvoice": _Syntax((cii.NAMESPACE,), cii.parse_cii, _CII_LINES),
    "CrossIndustryDocument": _Syntax((cii.FIRST_NAMESPACE,), cii.parse_cii, _CII_LINES),
    "FatturaElettronica": _Syntax(
        fatturapa.NAMESPACES,
        fatturapa.parse_fatturapa,
        "FatturaElettronicaBody/DatiBeniServizi/DettaglioLinee",
        "FatturaElettronicaBody",
    ),
    "Faktura": _Syntax((ksef.NAMESPACE,), ksef.parse_ksef, "Fa/FaWiersz"),
    "Facturae": _Syntax(
        facturae.NAMESPACES, facturae.parse_facturae, "Invoices/Invoice/Items/InvoiceLine", "Invoices/Invoice"
    ),
    "Comprobante": _Syntax((cfdi.NAMESPACE,), cfdi.parse_cfdi, "Conceptos/Concepto"),
    "nfeProc": _Syntax((nfe.NAMESPACE,), nfe.parse_nfe, "NFe/infNFe/det"),
    "NFe": _Syntax((nfe.NAMESPACE,), nfe.parse_nfe, "infNFe/det"),
}
_NAME_LENGTH = 120


def parse_einvoice(data: bytes) -> EInvoice:
    """The invoice in the XML.

    Raise DocumentError if the XML cannot be read safely, is no electronic invoice of a known syntax, is empty, or
    contains several of them or too many lines.
    """
    try:
        root = parse(data)
    except UnsafeXmlError as error:
        raise _failure(f"The XML cannot be read: {error}.") from None
    root = _without_envelope(root)
    syntax = _SYNTAXES.get(root.name)
    if syntax is None or not root.namespace.startswith(syntax.namespaces):
        shown = f"{root.name} ({root.namespace})" if root.namespace else root.name
        name = shortened(one_line(shown), _NAME_LENGTH)
        raise _failure(f"The XML is no electronic invoice of a supported kind. Its root element is {name}.")
    _check_size(root, syntax)
    found = syntax.parse(root)
    if found.number is None and found.totals == Totals():
        raise _failure("The electronic invoice is empty.")
    return found


def _without_envelope(root: Element) -> Element:
    """The invoice in what a network wraps around it, such as Peppol's StandardBusinessDocument."""
    inside = [each for name in _SYNTAXES for each in root.all(name)]
    return inside[0] if len(inside) == 1 and root.name not in _SYNTAXES else root


def _check_size(root: Element, syntax: _Syntax) -> None:
    invoices = sum(1 for _ in root.all(syntax.invoices))
    if invoices > 1:
        raise _failure(f"The XML contains {invoices} invoices. Send each one by itself.")
    if sum(1 for _ in root.all(syntax.lines)) > MAX_LINES:
        message = f"The electronic invoice has more than {MAX_LINES:,} lines."
        raise DocumentError(FailureCode.DOCUMENT_TOO_LARGE, message)


def _failure(message: str) -> DocumentError:
    return DocumentError(FailureCode.DOCUMENT_UNREADABLE, message)
