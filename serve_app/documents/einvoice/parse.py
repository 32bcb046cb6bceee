"""From the bytes of an electronic invoice to its record, whatever the syntax."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from serve_app.documents.einvoice import cfdi, cii, facturae, fatturapa, ksef, nfe, ubl
from serve_app.documents.einvoice.xml import Element, UnsafeXmlError, each_alone, parse, to_file
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
    "FatturaElettronica": _Syntax(fatturapa.NAMESPACES, fatturapa.parse_fatturapa, fatturapa.LINES, fatturapa.INVOICES),
    "FatturaElettronicaSemplificata": _Syntax(
        fatturapa.NAMESPACES, fatturapa.parse_simplified, fatturapa.SIMPLIFIED_LINES, fatturapa.INVOICES
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
    enveloped = _enveloped(root)
    _check_count(len(enveloped))
    root = enveloped[0] if enveloped else root
    syntax = _syntax_of(root)
    if syntax is None:
        shown = f"{root.name} ({root.namespace})" if root.namespace else root.name
        name = shortened(one_line(shown), _NAME_LENGTH)
        raise _failure(f"The XML is no electronic invoice of a supported kind. Its root element is {name}.")
    _check_size(root, syntax)
    found = syntax.parse(root)
    if found.number is None and found.totals == Totals():
        raise _failure("The electronic invoice is empty.")
    return found


def separated(data: bytes) -> Iterator[bytes] | None:
    """Each invoice of a file of several as XML of its own, with what they have in common; None for any other file.

    A signature of the whole, which fits none of them, is left out.
    """
    try:
        root = parse(data)
    except UnsafeXmlError:
        return None
    enveloped = _enveloped(root)
    if len(enveloped) > 1:
        return map(to_file, enveloped)
    root = enveloped[0] if enveloped else root
    syntax = _syntax_of(root)
    invoices = list(root.all(syntax.invoices)) if syntax else []
    return each_alone(root, invoices) if len(invoices) > 1 else None


def _syntax_of(root: Element) -> _Syntax | None:
    syntax = _SYNTAXES.get(root.name)
    return syntax if syntax and root.namespace.startswith(syntax.namespaces) else None


def _enveloped(root: Element) -> list[Element]:
    """The invoices in what a network wraps around them, such as Peppol's StandardBusinessDocument."""
    return [] if root.name in _SYNTAXES else [each for name in _SYNTAXES for each in root.all(name)]


def _check_size(root: Element, syntax: _Syntax) -> None:
    _check_count(sum(1 for _ in root.all(syntax.invoices)))
    if sum(1 for _ in root.all(syntax.lines)) > MAX_LINES:
        message = f"The electronic invoice has more than {MAX_LINES:,} lines."
        raise DocumentError(FailureCode.DOCUMENT_TOO_LARGE, message)


def _check_count(invoices: int) -> None:
    if invoices > 1:
        raise _failure(f"The XML contains {invoices} invoices. Send each one by itself.")


def _failure(message: str) -> DocumentError:
    return DocumentError(FailureCode.DOCUMENT_UNREADABLE, message)
