"""Invoices that are written as XML keep the published rules, and are read as they were."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from serve_app.documents.einvoice import parse_einvoice
from serve_app.domain.einvoice import EInvoice
from tests.documents.einvoice.records import credit_note, full_record
from tests.documents.einvoice.writers import write_cii, write_ubl


@pytest.mark.parametrize("record", [full_record(), credit_note()])
@pytest.mark.parametrize("write", [write_ubl, write_cii])
def test_what_is_written_is_read(record: EInvoice, write: Callable[[EInvoice], bytes]) -> None:
    read = parse_einvoice(write(record))
    assert replace(read, syntax=record.syntax, profile=record.profile) == record
