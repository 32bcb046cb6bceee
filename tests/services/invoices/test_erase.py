"""What is deleted is gone: rows, events, files, and the way in."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from serve_app.domain.account import Account, Plan, Scope, mint_key, sandbox_of
from serve_app.domain.batch import Section, records_of
from serve_app.domain.erased import Erased
from serve_app.domain.errors import AccountContended, ServiceError, StoreUnreachable
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Extraction
from serve_app.domain.record import InvoiceRecord, pages_key_of
from serve_app.services.accounts.erase import AccountEraser
from serve_app.services.invoices.erase import InvoiceEraser
from serve_app.services.upkeep.housekeeping import Housekeeping
from serve_app.store.base import Files, Store
from tests.support import MONTH, NOON, Clock, claim_next, make_record, newest_events, queue_new
from tests.support.databases import KINDS
from tests.support.people import add_member, make_session

HOUR = 3600.0


@pytest.fixture(params=KINDS)
def store_kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def invoices(store: Store, files: Files, clock: Clock) -> InvoiceEraser:
    return InvoiceEraser(store, files, clock)


@pytest.fixture
def accounts(store: Store, files: Files, clock: Clock) -> AccountEraser:
    return AccountEraser(store, files, clock)


@pytest.fixture
def submitted(store: Store, files: Files) -> Callable[[Account], Awaitable[InvoiceRecord]]:
    """Takes a document in, as submitting does."""

    async def submit(account: Account) -> InvoiceRecord:
        record = await queue_new(store, account.id)
        await files.write(record.file_key, b"bytes")
        return record

    return submit


Submit = Callable[[Account], Awaitable[InvoiceRecord]]


async def add_account(store: Store) -> Account:
    account = Account(new_id(), Plan.FREE, NOON)
    await store.accounts.add(account)
    return account


async def finish_with(store: Store, siblings: int = 0) -> list[UUID]:
    """Finish the invoice that is due, which came in one file with others; the ids of all."""
    claim = await claim_next(store)
    sections = [Section(page, page, Extraction(vendor_name="Northwind")) for page in range(1, siblings + 2)]
    extraction, others = records_of(claim, sections, NOON)
    assert await store.queue.save_result(claim, extraction, NOON, others) is not None
    return [claim.invoice.id, *(other.invoice.id for other in others)]


async def has_file(files: Files, record: InvoiceRecord) -> bool:
    try:
        await files.read(record.file_key)
    except FileNotFoundError:
        return False
    return True


async def is_tidy(store: Store) -> bool:
    """Whether no file is left to be deleted later."""
    return await store.intake.stale(NOON + timedelta(days=1), 10) == []


def broken(*args: object) -> Any:
    raise StoreUnreachable


async def test_a_deleted_invoice_is_gone_with_its_file_and_events(
    store: Store, files: Files, account: Account, submitted: Submit, invoices: InvoiceEraser
) -> None:
    record, other = await submitted(account), await submitted(account)
    await finish_with(store)
    await newest_events(store, account.id)
    assert await invoices.erase(account.id, record.invoice.id) == Erased(invoices=1, files=1, events=1)
    assert await store.invoices.get(account.id, record.invoice.id) is None
    assert await newest_events(store, account.id) == []
    assert not await has_file(files, record)
    assert await has_file(files, other)
    assert await is_tidy(store)


async def test_the_file_stays_until_the_last_invoice_that_came_in_it_is_deleted(
    store: Store, files: Files, account: Account, submitted: Submit, invoices: InvoiceEraser
) -> None:
    record = await submitted(account)
    first, second, third = await finish_with(store, siblings=2)
    assert (await invoices.erase(account.id, first)).files == 0
    assert (await invoices.erase(account.id, third)).files == 0
    assert await has_file(files, record)
    assert (await invoices.erase(account.id, second)).files == 1
    assert not await has_file(files, record)
    assert await is_tidy(store)


async def test_a_run_of_a_deleted_invoice_changes_nothing(
    store: Store, account: Account, submitted: Submit, invoices: InvoiceEraser
) -> None:
    record = await submitted(account)
    claim = await claim_next(store)
    await invoices.erase(account.id, record.invoice.id)
    assert await store.queue.save_result(claim, Extraction(vendor_name="Northwind"), NOON) is None
    assert await store.invoices.get(account.id, record.invoice.id) is None
    assert await newest_events(store, account.id) == []


async def test_a_deleted_invoice_gives_no_unit_back(
    store: Store, account: Account, submitted: Submit, invoices: InvoiceEraser
) -> None:
    record = await submitted(account)
    await invoices.erase(account.id, record.invoice.id)
    assert await store.quotas.used(account.id, MONTH) == 1


async def test_an_unknown_invoice_and_another_accounts_are_not_deleted(
    store: Store, account: Account, submitted: Submit, invoices: InvoiceEraser
) -> None:
    record, other = await submitted(account), await add_account(store)
    for account_id, invoice_id in ((account.id, new_id()), (other.id, record.invoice.id)):
        with pytest.raises(LookupError, match=f"the account has no invoice {invoice_id}"):
            await invoices.erase(account_id, invoice_id)
    assert await store.invoices.get(account.id, record.invoice.id) is not None


async def test_a_file_that_could_not_be_deleted_is_deleted_by_housekeeping(
    store: Store,
    files: Files,
    account: Account,
    submitted: Submit,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    record = await submitted(account)
    with monkeypatch.context() as patch:
        patch.setattr(files, "delete", broken)
        with pytest.raises(ServiceError):
            await InvoiceEraser(store, files, clock).erase(account.id, record.invoice.id)
    assert await store.invoices.get(account.id, record.invoice.id) is None
    assert await has_file(files, record)
    clock.advance(HOUR + 1)
    await Housekeeping(store, files, HOUR, clock).run_round()
    assert not await has_file(files, record)
    assert await is_tidy(store)


async def test_a_deleted_account_leaves_nothing(
    store: Store, files: Files, account: Account, submitted: Submit, accounts: AccountEraser
) -> None:
    records = [await submitted(account) for _ in range(3)]
    await finish_with(store, siblings=1)
    await newest_events(store, account.id)
    key, _ = mint_key(account.id, "till", Scope.FULL, NOON)
    await store.keys.add(key)
    ann = await add_member(store, account)
    session, _ = make_session(ann, account)
    await store.sessions.add(session)
    assert await accounts.erase(account.id) == Erased(
        invoices=4, files=3, events=2, vendors=1, keys=1, people=1, sessions=1, accounts=1
    )
    assert await store.accounts.get(account.id) is None
    assert await store.keys.find_caller(key.hash, NOON) is None
    assert await store.keys.of_account(account.id) == []
    assert await store.sessions.find(session.hash, NOON) is None
    assert await store.people.get(ann.id) is None
    assert await newest_events(store, account.id) == []
    assert not any([await has_file(files, record) for record in records])
    assert await is_tidy(store)


async def test_an_account_takes_its_test_data_with_it(
    store: Store, files: Files, account: Account, submitted: Submit, accounts: AccountEraser
) -> None:
    sandbox = sandbox_of(account, NOON)
    await store.accounts.add(sandbox)
    key, _ = mint_key(sandbox.id, "try", Scope.FULL, NOON)
    await store.keys.add(key)
    record = await submitted(sandbox)
    assert await accounts.erase(account.id) == Erased(invoices=1, files=1, keys=1, accounts=2)
    assert await store.accounts.get(sandbox.id) is None
    assert await store.keys.find_caller(key.hash, NOON) is None
    assert not await has_file(files, record)
    assert await is_tidy(store)


async def test_test_data_alone_can_be_deleted(store: Store, account: Account, accounts: AccountEraser) -> None:
    sandbox = sandbox_of(account, NOON)
    await store.accounts.add(sandbox)
    await accounts.erase(sandbox.id)
    assert await store.accounts.get(sandbox.id) is None
    assert await store.accounts.get(account.id) == account


async def test_another_account_keeps_everything(
    store: Store, files: Files, account: Account, submitted: Submit, accounts: AccountEraser
) -> None:
    other = await add_account(store)
    key, _ = mint_key(other.id, "till", Scope.FULL, NOON)
    await store.keys.add(key)
    await submitted(account)
    kept = await submitted(other)
    await accounts.erase(account.id)
    assert await store.invoices.get(other.id, kept.invoice.id) is not None
    assert await has_file(files, kept)
    caller = await store.keys.find_caller(key.hash, NOON)
    assert caller is not None
    assert caller.account == other


async def test_more_invoices_than_are_looked_at_once_are_deleted(
    store: Store, account: Account, accounts: AccountEraser
) -> None:
    for _ in range(120):
        await queue_new(store, account.id)
    assert (await accounts.erase(account.id)).invoices == 120


async def test_nothing_new_comes_in_while_an_account_is_deleted(
    store: Store, files: Files, account: Account, submitted: Submit, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The keys go first: an interrupted deletion leaves an account that nobody can use."""
    await submitted(account)
    key, _ = mint_key(account.id, "till", Scope.FULL, NOON)
    await store.keys.add(key)
    monkeypatch.setattr(store.erasure, "next_invoices", broken)
    with pytest.raises(ServiceError):
        await AccountEraser(store, files, clock).erase(account.id)
    assert await store.keys.find_caller(key.hash, NOON) is None
    assert await store.accounts.get(account.id) is not None


async def test_a_deletion_that_broke_off_goes_on_where_it_was(
    store: Store, files: Files, account: Account, submitted: Submit, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = [await submitted(account) for _ in range(3)]
    erase, calls = store.erasure.invoice, []

    async def break_at_the_second(record: InvoiceRecord, *others: Any, **more: Any) -> Erased:
        calls.append(record)
        if len(calls) == 2:
            raise StoreUnreachable
        return await erase(record, *others, **more)

    with monkeypatch.context() as patch:
        patch.setattr(store.erasure, "invoice", break_at_the_second)
        with pytest.raises(ServiceError):
            await AccountEraser(store, files, clock).erase(account.id)
    erased = await AccountEraser(store, files, clock).erase(account.id)
    assert (erased.invoices, erased.accounts) == (2, 1)
    assert not any([await has_file(files, record) for record in records])


async def test_an_invoice_that_comes_in_meanwhile_is_deleted_too(
    store: Store, files: Files, account: Account, submitted: Submit, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    late: list[InvoiceRecord] = []
    erase = store.erasure.account

    async def one_comes_in(account_id: UUID) -> Erased:
        if not late:
            late.append(await submitted(account))
        return await erase(account_id)

    monkeypatch.setattr(store.erasure, "account", one_comes_in)
    erased = await AccountEraser(store, files, clock).erase(account.id)
    assert (erased.invoices, erased.files, erased.accounts) == (1, 1, 1)
    assert not await has_file(files, late[0])


async def test_a_submission_that_ends_after_its_account_went_leaves_nothing(
    store: Store, files: Files, account: Account, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    record, erase = make_record(account.id), store.erasure.account
    await store.intake.reserve(record, MONTH, None)
    await files.write(record.file_key, b"bytes")

    async def it_ends(account_id: UUID) -> Erased:
        erased = await erase(account_id)
        # A store may refuse it, or take it.
        with suppress(Exception):
            await store.intake.add(record)
        return erased

    monkeypatch.setattr(store.erasure, "account", it_ends)
    await AccountEraser(store, files, clock).erase(account.id)
    assert await store.invoices.get(account.id, record.invoice.id) is None
    clock.advance(HOUR + 1)
    await Housekeeping(store, files, HOUR, clock).run_round()
    assert not await has_file(files, record)
    assert await is_tidy(store)


async def test_an_invoice_that_slips_in_while_the_account_goes_is_deleted_too(
    store: Store, files: Files, account: Account, submitted: Submit, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    late: list[InvoiceRecord] = []

    async def one_slips_in(account_id: UUID) -> Erased:
        late.append(await submitted(account))
        return Erased(accounts=1)

    monkeypatch.setattr(store.erasure, "account", one_slips_in)
    assert (await AccountEraser(store, files, clock).erase(account.id)).invoices == 1
    assert await store.invoices.get(account.id, late[0].invoice.id) is None
    assert not await has_file(files, late[0])


async def test_an_account_that_never_rests_is_reported(
    store: Store, files: Files, account: Account, submitted: Submit, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    erase = store.erasure.account

    async def one_more_comes_in(account_id: UUID) -> Erased:
        await submitted(account)
        return await erase(account_id)

    monkeypatch.setattr(store.erasure, "account", one_more_comes_in)
    with pytest.raises(AccountContended):
        await AccountEraser(store, files, clock).erase(account.id)


async def test_an_unknown_account_is_reported(accounts: AccountEraser) -> None:
    unknown = new_id()
    with pytest.raises(LookupError, match=f"there is no account {unknown}"):
        await accounts.erase(unknown)


async def test_a_submission_under_way_leaves_no_file_when_its_account_goes(
    store: Store, files: Files, account: Account, clock: Clock, accounts: AccountEraser
) -> None:
    record = make_record(account.id)
    await store.intake.reserve(record, MONTH, None)
    await accounts.erase(account.id)
    await files.write(record.file_key, b"bytes")
    clock.advance(HOUR + 1)
    await Housekeeping(store, files, HOUR, clock).run_round()
    assert not await has_file(files, record)
    assert await is_tidy(store)


async def test_the_words_that_a_run_kept_go_with_the_invoice(
    files: Files, account: Account, invoices: InvoiceEraser, submitted: Callable[[Account], Awaitable[InvoiceRecord]]
) -> None:
    record = await submitted(account)
    key = pages_key_of(account.id, record.invoice.id)
    await files.write(key, b"words")
    await invoices.erase(account.id, record.invoice.id)
    with pytest.raises(FileNotFoundError):
        await files.read(key)
