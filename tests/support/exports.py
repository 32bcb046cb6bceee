"""Exports in tests."""

import hashlib
import zlib
from datetime import timedelta

from serve_app.domain.account import Account
from serve_app.domain.export import Export, ExportFormat, NewExport
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Invoice
from tests.support import NOON

MINUTE = timedelta(minutes=1)


def new_export(*invoices: Invoice, account: Account, is_repeated: bool = False) -> NewExport:
    """An export of these invoices, as they are."""
    content = zlib.compress(b"a;b\r\n")
    export = Export(
        id=new_id(),
        account_id=account.id,
        format=ExportFormat.DATEV,
        created_at=NOON + MINUTE,
        created_by="ann@example.com",
        file_name="EXTF.csv",
        sha256=hashlib.sha256(b"a;b\r\n").hexdigest(),
        size_bytes=5,
        invoices=tuple(invoice.id for invoice in invoices),
        settings={"client": 7},
        notes=("an emoji was left out",),
    )
    return NewExport(export, content, {each.id: each.updated_at for each in invoices}, is_repeated)
