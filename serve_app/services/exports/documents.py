"""The documents of an export, as DATEV imports them: a ZIP file with `document.xml` (version 6.0), in which each
document has the id that the bookings link to."""

import zipfile
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from uuid import UUID
from xml.sax.saxutils import quoteattr

from serve_app.domain.export import Export
from serve_app.services.packages.package import extension_of
from serve_app.store.base import Files, Invoices
from serve_app.system.whole_files import whole_file

_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<archive xmlns="http://xml.datev.de/bedi/tps/document/v06.0"'
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
    ' xsi:schemaLocation="http://xml.datev.de/bedi/tps/document/v06.0 Document_v060.xsd"'
    ' version="6.0" generatingSystem="Invoice extraction">\n'
)
_INCOMING = 'processID="1" type="1"'


async def write_documents(path: Path, export: Export, invoices: Invoices, files: Files) -> list[UUID]:
    """Write the package, under another name until it is whole. Returns the invoices whose documents were removed."""
    names: list[tuple[UUID, str]] = []
    missing: list[UUID] = []
    with whole_file(path) as temporary, zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive:
        for id in export.invoices:
            found = await _document(export.account_id, id, invoices, files)
            if found is None:
                missing.append(id)
                continue
            name, data = found
            archive.writestr(name, data)
            names.append((id, name))
        archive.writestr("document.xml", _document_xml(names, export.created_at))
    return missing


async def _document(account_id: UUID, id: UUID, invoices: Invoices, files: Files) -> tuple[str, bytes] | None:
    record = await invoices.find_record(account_id, id)
    if record is None:
        return None
    try:
        return f"{id}.{extension_of(record.invoice.file.mime_type)}", await files.read(record.file_key)
    except FileNotFoundError:
        return None


def _document_xml(names: Sequence[tuple[UUID, str]], made_at: datetime) -> str:
    documents = "".join(
        f"    <document guid={quoteattr(str(id))} {_INCOMING}>\n"
        f'      <extension xsi:type="File" name={quoteattr(name)}/>\n    </document>\n'
        for id, name in names
    )
    header = f"  <header>\n    <date>{made_at:%Y-%m-%dT%H:%M:%S}</date>\n  </header>\n"
    return f"{_HEAD}{header}  <content>\n{documents}  </content>\n</archive>\n"
