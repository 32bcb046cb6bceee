"""Writes packages: a ZIP file with documents, values, corrections, events, exports and the audit trail of invoices, a
manifest whose entries form a chain, and its signature."""

import hashlib
import json
import zipfile
import zlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any
from uuid import UUID

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.einvoice import MIME_TYPE
from serve_app.domain.export import Export
from serve_app.domain.query import issued_between
from serve_app.domain.record import InvoiceRecord, first_of
from serve_app.services.packages import verify
from serve_app.services.packages.audit_csv import audit_table
from serve_app.services.packages.signature import PackageSigner
from serve_app.services.retention.archive import archived_lines
from serve_app.store.base import Files, Store
from serve_app.system.whole_files import whole_file

_PAGE = 100
_MOST_EVENTS = 10_000
_EXTENSIONS = {
    **{"application/pdf": "pdf", "image/jpeg": "jpg", "image/png": "png", "image/heic": "heic", "text/html": "html"},
    MIME_TYPE: "xml",
}
README = """This package can be verified without the service that made it.

Nothing was changed, is missing or was added (Python 3.9 or later):

    python verify.py PACKAGE.zip

Use a copy of verify.py that you trust, not the one in a package that you doubt.

Who made it (OpenSSL 3): take manifest.jsonl and manifest.sig out of the package, and the public key from where you
kept it; `invoices package key` prints it:

    openssl pkeyutl -verify -pubin -inkey public_key.pem -rawin -in manifest.jsonl -sigfile manifest.sig

documents/  files as they were received
invoices/   for each invoice: its values, the review with all corrections, and its events
exports/    files for other programs that contain one of the invoices, with their receipts
audit.csv   who changed what in the account
"""


@dataclass(frozen=True, slots=True)
class PackageRequest:
    """Which complete invoices: one, or those issued from `since` to `until`; None: any day. Without either, all."""

    account_id: UUID
    invoice_id: UUID | None = None
    since: date | None = None
    until: date | None = None


@dataclass(slots=True)
class Packaged:
    """What is in a package; `missing` are documents that were removed before their values."""

    invoices: int = 0
    files: int = 0
    missing: list[str] = field(default_factory=list)
    sha256: str = ""
    """Of the manifest."""


class _Package:
    """A ZIP file whose entries are noted in a manifest while they are written."""

    def __init__(self, archive: zipfile.ZipFile, header: dict[str, Any]) -> None:
        self._archive = archive
        self._lines = [_json(header)]
        self._link = hashlib.sha256(self._lines[0].encode()).hexdigest()
        self.files = 0

    def add(self, path: str, data: bytes) -> None:
        self._archive.writestr(path, data)
        sha256 = hashlib.sha256(data).hexdigest()
        self._link = verify.chained(self._link, path, sha256, len(data))
        self._lines.append(_json({"path": path, "sha256": sha256, "size": len(data), "chain": self._link}))
        self.files += 1

    def finish(self, signer: PackageSigner) -> str:
        """The SHA-256 of the manifest."""
        self._lines.append(_json({"end": self._link, "files": self.files}))
        manifest = "".join(f"{line}\n" for line in self._lines).encode()
        self._archive.writestr(verify.MANIFEST, manifest)
        self._archive.writestr("manifest.sig", signer.sign(manifest))
        self._archive.writestr("public_key.pem", signer.public_key)
        return hashlib.sha256(manifest).hexdigest()


class PackageWriter:
    """Reads an account page by page: memory does not grow with its documents. An invoice that is added or changed
    meanwhile may or may not be as it is at the end."""

    def __init__(self, store: Store, files: Files, signer: PackageSigner, clock: Clock = utc_now) -> None:
        self._store = store
        self._files = files
        self._signer = signer
        self._clock = clock

    async def write(self, path: Path, request: PackageRequest) -> Packaged:
        """Write the package, under another name until it is whole. Raises LookupError if the account has no such
        invoice."""
        with whole_file(path) as temporary, zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive:
            return await self._write(archive, request)

    async def _write(self, archive: zipfile.ZipFile, request: PackageRequest) -> Packaged:
        made_at = self._clock()
        header = {"format": 1, "account": str(request.account_id), "made_at": made_at.isoformat()}
        period = {name: str(day) for name in ("since", "until") if (day := getattr(request, name))}
        package, done = _Package(archive, header | period), Packaged()
        package.add("README.txt", README.encode())
        package.add("verify.py", script())
        ids: set[UUID] = set()
        documents: set[str] = set()
        async for record in self._records(request):
            await self._add_invoice(package, record, documents, done)
            ids.add(record.invoice.id)
            done.invoices += 1
        await self._add_exports(package, request.account_id, ids)
        lines = [line async for line in audit_table(self._store.audit, request.account_id)]
        package.add("audit.csv", "".join(lines).encode("utf-8-sig"))
        done.files, done.sha256 = package.files, package.finish(self._signer)
        return done

    async def _records(self, request: PackageRequest) -> AsyncIterator[InvoiceRecord]:
        if request.invoice_id is not None:
            record = await self._store.invoices.find_record(request.account_id, request.invoice_id)
            if record is None:
                raise LookupError(f"the account has no invoice {request.invoice_id}")
            yield record
            return
        query = issued_between(request.since, request.until)
        after, has_more = None, True
        while has_more:
            page = await self._store.invoices.page(request.account_id, query, _PAGE, after)
            for invoice in page.items:
                after = invoice.id
                record = await self._store.invoices.find_record(request.account_id, invoice.id)
                if record is not None and record.invoice.is_finished:
                    yield record
            has_more = page.has_more

    async def _add_invoice(self, package: _Package, record: InvoiceRecord, documents: set[str], done: Packaged) -> None:
        invoice = record.invoice
        folder, document = f"invoices/{invoice.id}", await self._add_document(package, record, documents)
        if document is None:
            done.missing.append(str(invoice.id))
        about = {"document": document, "sha256_as_received": record.sha256}
        package.add(f"{folder}/invoice.json", invoice.model_dump_json(indent=1).encode())
        package.add(f"{folder}/document.json", _json(about).encode())
        package.add(f"{folder}/review.json", record.review.model_dump_json(indent=1).encode())
        events = [line async for line in archived_lines(self._files, record.account_id, invoice.id)]
        logged = await self._store.events.of_invoice(record.account_id, invoice.id, _MOST_EVENTS)
        events += [event.payload for event in reversed(logged)]
        package.add(f"{folder}/events.jsonl", "".join(f"{line}\n" for line in events).encode())

    async def _add_document(self, package: _Package, record: InvoiceRecord, documents: set[str]) -> str | None:
        """The path of the document in the package, which several invoices may share; None if it was removed."""
        path = f"documents/{first_of(record.file_key)}.{extension_of(record.invoice.file.mime_type)}"
        if path in documents:
            return path
        try:
            data = await self._files.read(record.file_key)
        except FileNotFoundError:
            return None
        package.add(path, data)
        documents.add(path)
        return path

    async def _add_exports(self, package: _Package, account_id: UUID, ids: set[UUID]) -> None:
        after, has_more = None, True
        while has_more:
            page = await self._store.exports.page(account_id, _PAGE, after)
            for export in page.items:
                after = export.id
                if ids & set(export.invoices):
                    await self._add_export(package, export)
            has_more = page.has_more

    async def _add_export(self, package: _Package, export: Export) -> None:
        content = await self._store.exports.content(export.account_id, export.id)
        receipt = {
            "id": str(export.id),
            "format": str(export.format),
            "created_at": export.created_at.isoformat(),
            "created_by": export.created_by,
            "file_name": export.file_name,
            "sha256": export.sha256,
            "size_bytes": export.size_bytes,
            "invoices": [str(id) for id in export.invoices],
            "settings": dict(export.settings),
            "notes": list(export.notes),
        }
        package.add(f"exports/{export.id}/receipt.json", _json(receipt).encode())
        if content is not None:
            package.add(f"exports/{export.id}/{export.file_name}", zlib.decompress(content))


def extension_of(mime_type: str | None) -> str:
    """How the name of a document ends."""
    return _EXTENSIONS.get(mime_type or "", "bin")


def script() -> bytes:
    """The script that verifies packages."""
    return Path(verify.__file__).read_bytes()


def _json(values: dict[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False, sort_keys=True)
