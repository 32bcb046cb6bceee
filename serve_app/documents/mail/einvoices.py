"""The electronic invoices among the files of a mail, and the PDFs beside them that show the same invoice."""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from pathlib import PurePosixPath

from serve_app.documents.einvoice import parse_einvoice, with_einvoice
from serve_app.documents.limits import Limits
from serve_app.documents.mail.leaf import Leaf
from serve_app.documents.pdf.text_layer import read_text_layer
from serve_app.domain.document import Document
from serve_app.domain.einvoice import EInvoice
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice_data import data_in
from serve_app.extraction.facts import facts_of_document
from serve_app.extraction.printed import PrintedText, printed_text

_ENOUGH = 2
"""Values that a PDF must print to be the same invoice."""
_NAME = "invoice.xml"


class EInvoiceFiles:
    """What is known of the XML files of a mail; `pdfs` are the PDFs beside them."""

    def __init__(self, xmls: Sequence[Leaf], pdfs: Sequence[Leaf], limits: Limits) -> None:
        read = [(xml, _read(xml.data)) for xml in xmls]
        self._problems = {xml.path: found for xml, found in read if isinstance(found, DocumentError)}
        self._einvoices = [(xml, found) for xml, found in read if isinstance(found, EInvoice)]
        self._xml_of = self._paired(pdfs if self._einvoices else (), limits)

    @property
    def has_any(self) -> bool:
        """Whether one of the files is an electronic invoice."""
        return bool(self._einvoices)

    def problem(self, xml: Leaf) -> DocumentError | None:
        """Why the file is no electronic invoice that can be read."""
        return self._problems.get(xml.path)

    def has_pdf(self, xml: Leaf) -> bool:
        """Whether a PDF of the mail shows it."""
        return any(xml is each for each in self._xml_of.values())

    def embedded(self, pdf: Leaf, max_bytes: int) -> bytes:
        """The PDF with the electronic invoice that it shows, unless it has one already, or becomes too large."""
        xml = self._xml_of.get(pdf.path)
        made = with_einvoice(pdf.data, xml.name or _NAME, xml.data) if xml else None
        return made if made and len(made) <= max_bytes else pdf.data

    def _paired(self, pdfs: Sequence[Leaf], limits: Limits) -> dict[str, Leaf]:
        """The XML by the path of its PDF. A PDF that could belong to two, or an XML that two PDFs show, is alone."""
        shown = [(pdf, xml) for pdf in pdfs for xml in self._shown(pdf, limits)]
        return {
            pdf.path: xml
            for pdf, xml in shown
            if sum(one is pdf for one, _ in shown) == 1 and sum(other is xml for _, other in shown) == 1
        }

    def _shown(self, pdf: Leaf, limits: Limits) -> Iterator[Leaf]:
        text = _text_of(pdf, limits)
        return (xml for xml, einvoice in self._einvoices if _stem(xml) == _stem(pdf) or _prints(text, einvoice))


def _read(data: bytes) -> EInvoice | DocumentError:
    try:
        return parse_einvoice(data)
    except DocumentError as error:
        return error


def _text_of(pdf: Leaf, limits: Limits) -> PrintedText:
    """What the PDF prints according to its text layer; nothing for a scan."""
    try:
        return printed_text(facts_of_document(Document(read_text_layer(pdf.data, limits))))
    except DocumentError:
        return PrintedText((), is_seen=False)


def _stem(leaf: Leaf) -> str:
    """The name without its ending; a file without a name is like no other."""
    return PurePosixPath(leaf.name).stem.casefold() if leaf.name else f"/{leaf.path}"


def _prints(text: PrintedText, einvoice: EInvoice) -> bool:
    """Whether the text prints the number or the total, and another of the values that identify the invoice: so one of
    them may differ, while tax number and account are those of all invoices of a supplier."""
    data = data_in(einvoice)
    own = [data.number is not None and text.has_code(data.number), data.amount in _signed(text.amounts())]
    shared = [text.has_code(code) for code in (*data.vat_ids[:1], *data.ibans[:1])]
    return any(own) and sum(own + shared) >= _ENOUGH


def _signed(amounts: Iterable[Decimal]) -> set[Decimal]:
    """Credit notes print their amounts with or without a sign."""
    return {signed for amount in amounts for signed in (amount, -amount)}
