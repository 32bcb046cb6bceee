"""The attachments of a PDF that may be an electronic invoice."""

import logging
from collections.abc import Iterator
from io import BytesIO
from itertools import islice

from pypdf import PdfReader, PdfWriter, apply_configuration
from pypdf.errors import PyPdfError
from pypdf.generic import (
    ArrayObject,
    DictionaryObject,
    EmbeddedFile,
    NameObject,
    NullObject,
    StreamObject,
    create_string_object,
)

from serve_app.documents.einvoice.xml import MAX_BYTES
from serve_app.documents.einvoice.xmp import facturx_metadata
from serve_app.domain.clock import utc_now

logging.getLogger("pypdf").setLevel(logging.CRITICAL)

# The names that the standards prescribe, newest first; case differs between the versions of ZUGFeRD.
NAMES = ("factur-x.xml", "xrechnung.xml", "zugferd-invoice.xml")
_ENDING = ".xml"
# Attachments examined per file.
_MAX_FILES = 100


def invoice_files(pdf: bytes) -> Iterator[tuple[str, bytes]]:
    """Name (lower case) and bytes of the attachments named in `NAMES`, in that order, then of any other XML, if it is
    the only one: no standard names that of UBL.

    Attachments that are damaged or inflate to more than `MAX_BYTES` are skipped. Raises whatever pypdf raises for a
    file that it cannot read at all.
    """
    # pypdf stops inflating at the cap, so a bomb costs no more than that.
    with apply_configuration(zlib_maximum_output_length=MAX_BYTES, lzw_maximum_output_length=MAX_BYTES):
        named = [(_name(file), file) for file in islice(_files(PdfReader(BytesIO(pdf))), _MAX_FILES)]
        others = {name: file for name, file in named if name.endswith(_ENDING) and name not in NAMES}
        named_by_standards = ((name, file) for wanted in NAMES for name, file in named if name == wanted)
        for name, file in (*named_by_standards, *(others.items() if len(others) == 1 else ())):
            if data := _content(file):
                yield name, data


def attach(pdf: bytes, name: str, data: bytes) -> bytes:
    """The PDF with one more attachment, written behind its bytes, which stay as they are. Raises whatever pypdf raises
    for a file that it cannot read."""
    writer = _extended(pdf)
    writer.add_attachment(name, data)
    buffer = BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def attach_facturx(pdf: bytes, xml: bytes) -> bytes:
    """The PDF with the XML as Factur-X prescribes: an associated file of the document, and another way of saying what
    the pages say, named in the metadata. It takes the place of an earlier one, and other attachments stay. Raises
    whatever pypdf raises."""
    with apply_configuration(zlib_maximum_output_length=MAX_BYTES, lzw_maximum_output_length=MAX_BYTES):
        return _with_facturx(_extended(pdf), xml)


def _with_facturx(writer: PdfWriter, xml: bytes) -> bytes:
    for file in [file for file in writer.attachment_list if _name(file) in NAMES]:
        file.delete()
    file = writer.add_attachment(NAMES[0], xml)
    file.alternative_name = create_string_object(NAMES[0])  # type: ignore[assignment]
    file.subtype = NameObject("/text/xml")
    file.modification_date = utc_now()
    file.associated_file_relationship = NameObject("/Alternative")
    reference = file.pdf_object.indirect_reference
    associated = writer.root_object.get("/AF", ArrayObject()).get_object()
    others = associated if isinstance(associated, ArrayObject) else ArrayObject()
    kept = [entry for entry in others if _name(EmbeddedFile("", entry.get_object())) not in NAMES]
    writer.root_object[NameObject("/AF")] = ArrayObject([*kept, reference])
    metadata = StreamObject()
    metadata.update({NameObject("/Type"): NameObject("/Metadata"), NameObject("/Subtype"): NameObject("/XML")})
    metadata.set_data(facturx_metadata(_metadata(writer)))
    # Deliberately not compressed: programs search files for it.
    writer.root_object[NameObject("/Metadata")] = writer._add_object(metadata)
    buffer = BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def _extended(pdf: bytes) -> PdfWriter:
    """Writes behind the PDF. An object without content takes the number of the last cross-reference stream: pypdf gives
    it away once more, and then reads that stream in place of the new object."""
    writer = PdfWriter(BytesIO(pdf), incremental=True)
    writer._add_object(NullObject())
    return writer


def _metadata(writer: PdfWriter) -> bytes:
    """What the PDF says of itself; nothing if that is damaged."""
    found = writer.root_object.get("/Metadata", NullObject()).get_object()
    try:
        return found.get_data() if isinstance(found, StreamObject) else b""
    except (PyPdfError, ValueError, TypeError, AttributeError, KeyError, OSError):
        return b""


def _files(pdf: PdfReader) -> Iterator[EmbeddedFile]:
    """All attachments: those in the name tree, and those listed only as associated files in the catalogue (PDF/A-3)."""
    yield from pdf.attachment_list
    associated = pdf.root_object.get("/AF", ArrayObject()).get_object()
    for entry in associated if isinstance(associated, ArrayObject) else ():
        file = entry.get_object()
        if isinstance(file, DictionaryObject):
            yield EmbeddedFile("", file)


def _name(file: EmbeddedFile) -> str:
    """The file's own name, or its name in the name tree if it has none."""
    name = str(file.alternative_name or file.name)
    return name.strip().lower()


def _content(file: EmbeddedFile) -> bytes:
    try:
        data = file.content
    except (PyPdfError, ValueError, TypeError, AttributeError, KeyError, OSError):
        return b""
    return data if len(data) <= MAX_BYTES else b""
