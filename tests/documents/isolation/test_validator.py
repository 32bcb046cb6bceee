"""Electronic invoices are checked in a process of their own, whose loss is a finding."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from serve_app.documents.isolation.validator import IsolatedValidator
from serve_app.documents.options import ReadOptions
from tests.documents.einvoice.records import full_record
from tests.documents.einvoice.writers import write_cii, write_ubl


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
