"""Electronic invoices are checked in a process of their own, whose loss is a finding."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from serve_app.documents.einvoice import einvoice_file
from serve_app.documents.einvoice.writers import write_cii, write_ubl
from serve_app.documents.isolation.validator import IsolatedValidator
from serve_app.documents.options import ReadOptions
from serve_app.domain.einvoice_order import EInvoiceFormat, EInvoiceOrder
from tests.documents.einvoice.hybrid import pdf_with
from tests.documents.einvoice.records import full_record


@pytest.fixture
async def validator() -> AsyncIterator[IsolatedValidator]:
    validator = IsolatedValidator(ReadOptions())
    yield validator
    await asyncio.to_thread(validator.close)


async def test_rules_run_inside_the_sandbox(validator: IsolatedValidator) -> None:
    for write in (write_ubl, write_cii):
        validation = await validator.check(write(full_record()))
        assert validation is not None
        assert validation.is_valid is True


async def test_invoices_are_written_there(validator: IsolatedValidator) -> None:
    order = EInvoiceOrder(EInvoiceFormat.FACTURX)
    made = await validator.write(pdf_with(), full_record(), order)
    assert (made.missing, einvoice_file(made.data)) == ((), write_cii(full_record()))
    lacking = await validator.write(b"", replace(full_record(), number=None), order)
    assert lacking.missing == ("BT-1 Invoice number",)
    damaged = await validator.write(b"%PDF-1.7 damaged", None, order)
    assert damaged.validation is not None
    assert damaged.validation.is_valid is None


async def test_taking_too_long_is_a_finding_and_not_an_error() -> None:
    validator = IsolatedValidator(ReadOptions(), seconds=0.01)
    validation = await validator.check(write_ubl(full_record()))
    await asyncio.to_thread(validator.close)
    assert validation is not None
    assert [finding.rule for finding in validation.findings] == ["NOT-CHECKED"]
    assert validation.is_valid is None


async def test_a_closed_validator_answers_that_nothing_was_checked(validator: IsolatedValidator) -> None:
    await validator.check(b"<a/>")
    await asyncio.to_thread(validator.close)
    validation = await validator.check(b"<a/>")
    assert validation is not None
    assert validation.checked_by == ()
