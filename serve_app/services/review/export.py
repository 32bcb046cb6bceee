"""Confirmed invoices as a folder on which models are measured and trained."""

import csv
import hashlib
import io
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from serve_app.domain.duplicates import normalise_vendor
from serve_app.domain.einvoice import MIME_TYPE
from serve_app.domain.evidence import Evidence
from serve_app.domain.invoice import Invoice, ReviewStatus
from serve_app.domain.record import InvoiceRecord
from serve_app.services.review.evidence import evidence_of
from serve_app.services.review.truth import labelled, truth_of
from serve_app.store.base import Files, Reviews
from serve_app.system.thread_pools import FILES

SET = "corrections"
LINES = "corrections.jsonl"
MANIFEST = "MANIFEST.csv"
_COLUMNS = ("set", "file", "kind", "group", "invoices")
_PAGE = 100
# One in so many issuers is for validation.
_VALIDATION = 8
_EXTENSIONS = {
    "application/pdf": "pdf",
    "image/jpeg": "jpg",
    "image/png": "png",
    "image/heic": "heic",
    "text/html": "html",
    MIME_TYPE: "xml",
}


@dataclass(slots=True)
class Exported:
    """How many files were written and lines for training; how many files were left out because not all of their
    invoices are confirmed; how many of an earlier export were removed."""

    files: int = 0
    lines: int = 0
    unconfirmed: int = 0
    removed: int = 0


class CorrectionsExport:
    """Writes `docs/`, `truth/` and MANIFEST.csv for `invoices evaluate`, and LINES for `make train REAL=`.

    Into a folder of an earlier export it writes what is confirmed now: what was taken back or erased since is removed
    from it.
    """

    def __init__(self, reviews: Reviews, files: Files) -> None:
        self._reviews = reviews
        self._files = files

    async def run(self, account_id: UUID, folder: Path) -> Exported:
        """Export the account's confirmed invoices."""
        out = _Folder(folder)
        await FILES.run(out.begin)
        by_file: dict[str, list[InvoiceRecord]] = {}
        async for record in self._confirmed(account_id):
            by_file.setdefault(record.file_key, []).append(record)
        for key, records in by_file.items():
            await self._export_file(out, key, sorted(records, key=lambda record: record.invoice.id))
        await FILES.run(out.end)
        return out.exported

    async def _confirmed(self, account_id: UUID) -> AsyncIterator[InvoiceRecord]:
        after = None
        while records := await self._reviews.decided(account_id, _PAGE, after):
            for record in records:
                if record.review.verdict.status is ReviewStatus.CONFIRMED:
                    yield record
            at = records[-1].review.verdict.at
            if at is None:
                return
            after = at, records[-1].invoice.id

    async def _export_file(self, out: "_Folder", key: str, records: list[InvoiceRecord]) -> None:
        batch = records[0].invoice.batch
        if batch is not None and batch.count != len(records):
            # Whether the others are read right, nobody has said.
            out.exported.unconfirmed += 1
            return
        try:
            data = await self._files.read(key)
        except FileNotFoundError:
            return
        evidence = [await evidence_of(self._files, record) for record in records]
        await FILES.run(out.add, data, [record.invoice for record in records], evidence)


class _Folder:
    """The folder that is written. Not for an event loop: every method writes files."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._rows: list[dict[str, str]] = []
        self._lines: list[str] = []
        self.exported = Exported()
        self._before: set[str] = set()

    def begin(self) -> None:
        for name in ("docs", "truth"):
            (self._folder / name / SET).mkdir(parents=True, exist_ok=True)
        manifest = self._folder / MANIFEST
        if manifest.exists():
            with manifest.open(newline="") as file:
                self._before = {row["file"] for row in csv.DictReader(file) if row["set"] == SET}

    def add(self, data: bytes, invoices: list[Invoice], evidence: list[Evidence]) -> None:
        first = invoices[0]
        name = f"{first.id}.{_EXTENSIONS.get(first.file.mime_type or '', 'bin')}"
        (self._folder / "docs" / SET / name).write_bytes(data)
        kind, group = _kind_of(first, evidence[0]), _issuer(first)
        self._write_truth(name, invoices)
        ids = " ".join(str(invoice.id) for invoice in invoices)
        self._rows.append({"set": SET, "file": name, "kind": kind, "group": group, "invoices": ids})
        for invoice, seen in zip(invoices, evidence, strict=True):
            line = labelled(invoice, seen, kind, _split(_issuer(invoice)), _issuer(invoice))
            if line is not None:
                self._lines.append(json.dumps(line, ensure_ascii=False))
        self.exported.files += 1

    def _write_truth(self, name: str, invoices: list[Invoice]) -> None:
        truths: list[dict[str, Any]] = [truth_of(invoice) for invoice in invoices]
        for truth, invoice in zip(truths, invoices, strict=True):
            if invoice.batch is not None:
                truth["_pages"] = list(range(invoice.batch.first_page, invoice.batch.last_page + 1))
        content: dict[str, Any] = truths[0] if len(truths) == 1 else {"documents": truths}
        path = self._folder / "truth" / SET / f"{name}.json"
        path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")

    def end(self) -> None:
        kept = {row["file"] for row in self._rows}
        for name in self._before - kept:
            (self._folder / "docs" / SET / name).unlink(missing_ok=True)
            (self._folder / "truth" / SET / f"{name}.json").unlink(missing_ok=True)
            self.exported.removed += 1
        table = io.StringIO()
        writer = csv.DictWriter(table, _COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self._rows)
        (self._folder / MANIFEST).write_text(table.getvalue())
        (self._folder / LINES).write_text("".join(f"{line}\n" for line in self._lines))
        self.exported.lines = len(self._lines)


def _kind_of(invoice: Invoice, evidence: Evidence) -> str:
    mime = invoice.file.mime_type or ""
    if mime in ("text/html", MIME_TYPE):
        return "html"
    if any(page.is_turned for page in evidence.pages) and mime.startswith("image/"):
        return "photo"
    return "scan" if mime.startswith("image/") or any(page.scores for page in evidence.pages) else "text-pdf"


def _issuer(invoice: Invoice) -> str:
    """The vendor, without its name."""
    key = normalise_vendor(invoice.vendor_name or "") or str(invoice.id)
    return hashlib.sha256(key.encode()).hexdigest()[:12]


def _split(issuer: str) -> str:
    """All documents of an issuer are on one side."""
    return "validation" if int(issuer, 16) % _VALIDATION == 0 else "train"
