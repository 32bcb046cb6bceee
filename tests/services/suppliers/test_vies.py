"""Whether a supplier's tax number is registered, by a stand-in of VIES."""

import asyncio
import json
from datetime import timedelta

import pytest

from serve_app.domain.account import Account
from serve_app.domain.batch import Section
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import CheckKind, CheckSeverity, Details, Extraction
from serve_app.net.outcome import Fetched, TooLarge, Unreachable
from serve_app.services.suppliers.guard import SupplierGuard
from serve_app.services.suppliers.vies import Vies
from serve_app.store.base import Store
from tests.support import NOON

GERMAN = "DE136695976"


class Register:
    """Answers with what it was given, or raises it, and keeps what it was asked."""

    def __init__(self, answer: object) -> None:
        self.answer = answer
        self.asked: list[str] = []
        self.now = NOON

    async def __call__(self, url: str, max_bytes: int) -> Fetched:
        self.asked.append(url)
        if isinstance(self.answer, Exception):
            raise self.answer
        data = self.answer if isinstance(self.answer, bytes) else json.dumps(self.answer).encode()
        return Fetched(data, None, "application/json")

    def vies(self) -> Vies:
        return Vies("https://vies.example/rest/", self, lambda: self.now)


def said(outcome: str) -> dict[str, object]:
    return {"isValid": outcome == "VALID", "requestDate": "2024-03-05T10:00:00Z", "userError": outcome}


def invoice(number: str | None = GERMAN) -> Extraction:
    return Extraction(details=Details(vendor_tax_id=number), pages=1)


async def test_number_that_is_not_registered_is_a_notice_with_the_day() -> None:
    register = Register(said("INVALID"))
    check = await register.vies().check(invoice())
    assert check is not None
    assert (check.kind, check.severity) == (CheckKind.TAX_NUMBER_UNREGISTERED, CheckSeverity.NOTICE)
    assert check.text == f"The tax number {GERMAN} is not registered in VIES, asked on {NOON.date().isoformat()}."
    assert register.asked == ["https://vies.example/rest/ms/DE/vat/136695976"]


@pytest.mark.parametrize("answer", [said("VALID"), said("MS_UNAVAILABLE"), {}, [], b"<html>", Unreachable("x")])
async def test_nothing_is_said_of_a_valid_number_or_without_an_answer(answer: object) -> None:
    assert await Register(answer).vies().check(invoice()) is None


@pytest.mark.parametrize("number", [None, "CHE116281710", "GB980780684", "27AAPFU0939F1ZV", "51824753556"])
async def test_numbers_from_elsewhere_are_not_asked(number: str | None) -> None:
    register = Register(said("INVALID"))
    assert await register.vies().check(invoice(number)) is None
    assert register.asked == []


async def test_each_number_is_asked_once_a_day() -> None:
    register = Register(said("INVALID"))
    vies = register.vies()
    for day in range(2):
        register.now = NOON + timedelta(days=day)
        assert [await vies.check(invoice()) is not None for _ in range(3)] == [True] * 3
    assert len(register.asked) == 2


@pytest.mark.parametrize("failure", [Unreachable("it took longer than 5 s"), TooLarge(), b"{"])
async def test_register_that_fails_rests(failure: object) -> None:
    register = Register(failure)
    vies = register.vies()
    for _ in range(3):
        await vies.check(invoice())
    assert len(register.asked) == 1
    register.answer, register.now = said("INVALID"), NOON + timedelta(minutes=6)
    assert await vies.check(invoice()) is not None


async def test_guard_adds_what_the_register_says(store: Store, account: Account) -> None:
    guard = SupplierGuard(store, vies=Register(said("INVALID")).vies())
    (section,) = await asyncio.wait_for(guard.apply(account.id, new_id(), [Section(1, 1, invoice())]), 5)
    assert [check.kind for check in section.extraction.checks] == [CheckKind.TAX_NUMBER_UNREGISTERED]
