"""Links and codes sign one person in, once, within their time."""

import asyncio
from collections.abc import Callable

import pytest

from serve_app.domain.account import Account
from serve_app.domain.person import Person
from serve_app.domain.sign_in import LINK_LIFE, MAIL_LIFE, MAX_TRIES, MailSignIn, SignInLink, hash_code, new_code
from serve_app.store.base import Store
from tests.support import NOON
from tests.support.people import add_member

BROWSER, LINK, CODE = "browser", "link", "code"


@pytest.fixture
async def person(store: Store, account: Account) -> Person:
    return await add_member(store, account)


async def test_a_link_works_once(store: Store, person: Person, open_again: Callable[[], Store]) -> None:
    await store.sign_ins.add_link(SignInLink("hash", person.id, NOON + LINK_LIFE))
    assert await store.sign_ins.take_link("other", NOON) is None
    stores = [store, open_again(), store, open_again()]
    taken = await asyncio.gather(*(each.sign_ins.take_link("hash", NOON) for each in stores))
    assert sorted(taken, key=str) == sorted([person.id, None, None, None], key=str)


async def test_a_link_expires(store: Store, person: Person) -> None:
    await store.sign_ins.add_link(SignInLink("hash", person.id, NOON + LINK_LIFE))
    assert await store.sign_ins.take_link("hash", NOON + LINK_LIFE) is None


@pytest.mark.parametrize("proof", [LINK, CODE])
async def test_a_mail_signs_in_by_its_link_or_its_code(store: Store, person: Person, proof: str) -> None:
    await store.sign_ins.add_mail(MailSignIn(BROWSER, LINK, CODE, person.id, NOON + MAIL_LIFE))
    assert await store.sign_ins.take_mail("another browser", proof, NOON) is None
    assert await store.sign_ins.take_mail(BROWSER, proof, NOON) == person.id
    for again in (LINK, CODE):
        assert await store.sign_ins.take_mail(BROWSER, again, NOON) is None


async def test_a_mail_expires(store: Store, person: Person) -> None:
    await store.sign_ins.add_mail(MailSignIn(BROWSER, LINK, CODE, person.id, NOON + MAIL_LIFE))
    assert await store.sign_ins.take_mail(BROWSER, CODE, NOON + MAIL_LIFE) is None


async def test_after_five_wrong_codes_the_right_one_is_too_late(store: Store, person: Person) -> None:
    for browser, tries, expected in (("patient", MAX_TRIES - 1, person.id), ("guessing", MAX_TRIES, None)):
        await store.sign_ins.add_mail(MailSignIn(browser, LINK, CODE, person.id, NOON + MAIL_LIFE))
        for _ in range(tries):
            assert await store.sign_ins.take_mail(browser, "wrong", NOON) is None
        assert await store.sign_ins.take_mail(browser, CODE, NOON) == expected


async def test_guesses_at_once_are_all_counted(store: Store, person: Person, open_again: Callable[[], Store]) -> None:
    await store.sign_ins.add_mail(MailSignIn(BROWSER, LINK, CODE, person.id, NOON + MAIL_LIFE))
    stores = [store, open_again()]
    await asyncio.gather(*(stores[i % 2].sign_ins.take_mail(BROWSER, f"{i}", NOON) for i in range(MAX_TRIES)))
    assert await store.sign_ins.take_mail(BROWSER, CODE, NOON) is None


async def test_an_unknown_address_signs_nobody_in(store: Store) -> None:
    await store.sign_ins.add_mail(MailSignIn(BROWSER, LINK, CODE, None, NOON + MAIL_LIFE))
    assert await store.sign_ins.take_mail(BROWSER, CODE, NOON) is None


def test_a_code_is_six_digits_and_hashed_with_its_browser() -> None:
    codes = {new_code() for _ in range(50)}
    assert all(len(code) == 6 and code.isdigit() for code in codes)
    assert len(codes) > 40
    assert hash_code("123456", "one browser") != hash_code("123456", "another")
