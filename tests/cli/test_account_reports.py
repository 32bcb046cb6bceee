"""Operators list accounts, look at one, and see what each has used by month."""

import csv
import re
from datetime import datetime, timedelta
from uuid import UUID

import pytest

from serve_app.commands.stores import checked_settings, run_on_store
from serve_app.domain.clock import month_start, utc_now
from serve_app.domain.invoice import Extraction
from serve_app.domain.usage import Usage
from serve_app.store.base import Store
from tests.cli.command_line import UNKNOWN, URL, Fails, attempt, run
from tests.support import claim_next, make_record, queue_invoice

NOW = utc_now()
THIS_MONTH = month_start(NOW)
LAST_MONTH = month_start(THIS_MONTH - timedelta(days=1))


def use(account: str, at: datetime, pages: int) -> None:
    """Read a document of the account that came in then."""

    async def work(store: Store) -> None:
        await queue_invoice(store, make_record(UUID(account), at), month=month_start(at))
        read = Usage(pages=pages, ocr_pages=1, cpu_ms=1500, gpu_ms=None)
        await store.queue.save_result(await claim_next(store), Extraction(pages=pages, usage=read), at)

    run_on_store(checked_settings(), work)


@pytest.fixture
def busy(account: str) -> str:
    """An account with two documents in this month, and one in the last."""
    for at, pages in ((LAST_MONTH, 1), (THIS_MONTH, 2), (THIS_MONTH, 4)):
        use(account, at, pages)
    return account


def test_accounts_are_listed_newest_first(busy: str) -> None:
    other = run("account", "create", "--plan", "unlimited", "--email", "ann@example.com").split()[1]
    assert run("account", "list").splitlines() == [
        f"{other}  unlimited  {NOW:%Y-%m-%d}  0 of unlimited  ann@example.com",
        f"{busy}  free       {NOW:%Y-%m-%d}  2 of 10         -",
    ]
    first = attempt("account", "list", "--limit", "1")
    assert first.stderr == f"There are more: --after {other}\n"
    assert run("account", "list", "--after", other).startswith(busy)


def test_without_accounts_the_list_is_empty() -> None:
    assert run("account", "list") == ""
    assert run("account", "usage", "--csv") == "account,month,documents,pages,ocr_pages,cpu_seconds,gpu_seconds,cost\n"


def test_an_account_is_shown_with_its_rules_and_what_it_has(busy: str, fails: Fails) -> None:
    run("account", "keep", busy, "--days", "90", "--events", "0")
    run("account", "target-precision", busy, "0.99")
    run("key", "revoke", busy, run("key", "create", busy).split()[1])
    run("webhook", "register", busy, URL)
    run("user", "invite", "ann@example.com")
    shown = dict(re.split(r"  +", line) for line in run("account", "show", busy).splitlines())
    assert shown == {
        "account": busy,
        "limits": "as its plan and the settings say",
        "plan": "free",
        "created": f"{NOW:%Y-%m-%d}",
        "address": "-",
        "this month": "2 of 10",
        "target precision": "0.99",
        "keeps invoices": "90 days",
        "keeps documents": "per KEEP_DOCUMENTS_DAYS",
        "keeps events": "forever",
        "valid keys": "1",
        "people": "1",
        "webhook endpoints": "1",
    }
    assert "there is no account" in fails("account", "show", UNKNOWN)


def test_use_is_shown_by_account_and_month(busy: str, fails: Fails, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRICE_PAGE", "0.02")
    other = run("account", "create").split()[1]
    use(other, THIS_MONTH, 8)
    assert [line.split() for line in run("account", "usage").splitlines()] == [
        ["account", "month", "documents", "pages", "ocr_pages", "cpu_seconds", "gpu_seconds", "cost"],
        [busy, f"{LAST_MONTH:%Y-%m}", "1", "1", "1", "1.5", "0.0", "0.02"],
        [busy, f"{THIS_MONTH:%Y-%m}", "2", "6", "2", "3.0", "0.0", "0.12"],
        [other, f"{THIS_MONTH:%Y-%m}", "1", "8", "1", "1.5", "0.0", "0.16"],
    ]
    assert f"{LAST_MONTH:%Y-%m}" not in run("account", "usage", busy, "--months", "1")
    assert "there is no account" in fails("account", "usage", UNKNOWN)


def test_use_as_csv_has_all_months(busy: str) -> None:
    rows = list(csv.DictReader(run("account", "usage", busy, "--months", "3", "--csv").splitlines()))
    assert [row["month"] for row in rows][1:] == [f"{LAST_MONTH:%Y-%m}", f"{THIS_MONTH:%Y-%m}"]
    assert [(row["documents"], row["pages"]) for row in rows] == [("0", "0"), ("1", "1"), ("2", "6")]


def test_a_deleted_invoice_still_counts(account: str) -> None:
    use(account, THIS_MONTH, 3)

    async def invoice_of(store: Store) -> str:
        (record,) = await store.erasure.next_invoices(UUID(account), 2)
        return str(record.invoice.id)

    run("invoice", "delete", account, run_on_store(checked_settings(), invoice_of), "--yes")
    assert run("account", "usage", account).splitlines()[1].split()[2:] == ["1", "3", "1", "1.5", "0.0", "0.00"]
