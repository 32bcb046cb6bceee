"""A budget stops new documents once the readings of a month have cost it, and nothing that was accepted before."""

from datetime import timedelta
from decimal import Decimal

import pytest

from serve_app.domain.account import Account, AccountLimits, Plan, sandbox_of
from serve_app.domain.budget import Prices
from serve_app.domain.clock import month_start
from serve_app.domain.errors import BudgetReached, InvalidParameter
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Extraction, Source
from serve_app.domain.query import InvoiceQuery
from serve_app.domain.usage import Usage, UsageSums
from serve_app.services.accounts.monthly_limits import MonthlyLimits
from serve_app.services.accounts.service import check_limits
from serve_app.services.accounts.usage import UsageService
from serve_app.services.intake.submit import DocumentIntake, Upload
from serve_app.services.invoices.erase import InvoiceEraser
from serve_app.services.invoices.service import InvoiceService
from serve_app.services.tasks.wake import Wake
from serve_app.store.base import Files, Store
from tests.support import NOON, PDF_BYTES, Clock, FakeNotifier, claim_next
from tests.support.databases import KINDS
from tests.support.sound import spread

PRICES = Prices(page=Decimal("0.10"), ocr_page=Decimal("0.05"), core_hour=Decimal("0.36"), gpu_hour=Decimal("3.60"))
READ = Usage(pages=3, ocr_pages=1, cpu_ms=10_000, gpu_ms=5000)
COST = Decimal("0.356")
"""Three pages, one of them by OCR, ten seconds of a core and five of a GPU."""


@pytest.fixture(params=KINDS)
def store_kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def limits(store: Store, clock: Clock) -> MonthlyLimits:
    return MonthlyLimits(UsageService(store.quotas, PRICES, clock))


@pytest.fixture
def intake(store: Store, files: Files, limits: MonthlyLimits, clock: Clock) -> DocumentIntake:
    return DocumentIntake(store.intake, limits, files, Wake(FakeNotifier()), 1000, clock)


@pytest.fixture
async def customer(store: Store) -> Account:
    account = Account(new_id(), Plan.UNLIMITED, NOON, limits=AccountLimits(budget_per_month=Decimal("0.50")))
    await store.accounts.add(account)
    return account


async def send(intake: DocumentIntake, account: Account) -> None:
    await intake.submit(account, Upload(PDF_BYTES, "a.pdf", Source.API), new_id())


async def read_all(store: Store, number: int) -> None:
    for _ in range(number):
        await store.queue.save_result(await claim_next(store), Extraction(pages=3, usage=READ), NOON)
    await spread(store)


async def test_it_stops_new_documents_until_the_next_month(
    intake: DocumentIntake, limits: MonthlyLimits, store: Store, customer: Account, clock: Clock
) -> None:
    for _ in range(2):
        await send(intake, customer)
        await read_all(store, 1)
    shown = await limits.budget(customer)
    assert shown is not None
    assert (shown.spent, shown.amount, shown.currency) == (Decimal("0.71"), Decimal("0.50"), "EUR")
    with pytest.raises(BudgetReached, match=r"budget of 0\.50 EUR is used up"):
        await send(intake, customer)
    assert await store.quotas.used(customer.id, month_start(NOON)) == 2
    clock.now = month_start(NOON) + timedelta(days=31)
    await send(intake, customer)


async def test_it_is_exceeded_by_what_was_accepted_before_and_that_is_read(
    intake: DocumentIntake, limits: MonthlyLimits, store: Store, customer: Account
) -> None:
    for _ in range(5):
        await send(intake, customer)
    await read_all(store, 5)
    shown = await limits.budget(customer)
    assert shown is not None
    assert shown.spent == 5 * COST
    with pytest.raises(BudgetReached):
        await send(intake, customer)


async def test_reading_again_is_stopped_too_and_goes_on_with_a_larger_budget(
    intake: DocumentIntake, limits: MonthlyLimits, store: Store, files: Files, customer: Account, clock: Clock
) -> None:
    for _ in range(2):
        await send(intake, customer)
    await read_all(store, 2)
    eraser, wake = InvoiceEraser(store, files, clock), Wake(FakeNotifier())
    invoices = InvoiceService(store.invoices, store.intake, limits, eraser, wake, clock)
    invoice = (await store.invoices.page(customer.id, InvoiceQuery(), 1)).items[0].id
    with pytest.raises(BudgetReached):
        await invoices.read_again(customer, invoice, force=True)
    await store.accounts.set_limits(customer.id, AccountLimits(budget_per_month=Decimal(1)))
    larger = await store.accounts.get(customer.id)
    assert larger is not None
    assert not (await invoices.read_again(larger, invoice, force=True)).is_finished


async def test_the_accounts_own_budget_is_in_place_of_the_plans_and_test_mode_has_none(
    limits: MonthlyLimits, store: Store
) -> None:
    plan = Plan("trial", AccountLimits(budget_per_month=Decimal(5)))
    await store.plans.put(plan)
    account = Account(new_id(), plan, NOON)
    await store.accounts.add(account)
    assert (await store.accounts.get(account.id)) == account
    assert account.monthly_budget == 5
    await store.accounts.set_limits(account.id, AccountLimits(budget_per_month=Decimal("7.25")))
    found = await store.accounts.get(account.id)
    assert found is not None
    assert found.monthly_budget == Decimal("7.25")
    assert await limits.budget(sandbox_of(found, NOON)) is None


def test_what_readings_cost_is_exact() -> None:
    assert PRICES.cost_of(UsageSums.of([READ])) == COST
    assert Prices().cost_of(UsageSums.of([READ])) == 0


@pytest.mark.parametrize("budget", ["0", "-1", "0.001", "1.005", "1e10", "NaN"])
def test_what_is_no_amount_is_refused(budget: str) -> None:
    with pytest.raises(InvalidParameter, match="budget"):
        check_limits(AccountLimits(budget_per_month=Decimal(budget)))
