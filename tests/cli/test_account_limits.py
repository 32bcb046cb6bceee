"""Operators give an account limits of its own, and suspend it."""

from uuid import uuid4

import pytest

from tests.cli.command_line import Fails, attempt, run


def test_limits_that_are_not_named_stay(account: str) -> None:
    assert run("account", "limit", account) == "limits   as its plan and the settings say\n"
    run("account", "limit", account, "--running", "2", "--documents", "5000")
    changed = run("account", "limit", account, "--running", "default", "--requests", "600", "--file-mb", "5")
    assert changed == "limits   documents a month: 5,000, requests a minute: 600, MB of a file: 5\n"
    shown = run("account", "show", account)
    assert "limits             documents a month: 5,000, requests a minute: 600, MB of a file: 5\n" in shown
    assert "this month         0 of 5000\n" in shown


@pytest.mark.parametrize("value", ["0", "-1", "many", "1.5"])
def test_what_is_no_limit_is_refused(account: str, fails: Fails, value: str) -> None:
    assert "limit" in fails("account", "limit", account, f"--running={value}")
    assert "as its plan" in run("account", "limit", account)


def test_a_budget_is_set_shown_and_removed(account: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRICE_PAGE", "0.05")
    monkeypatch.setenv("PRICE_CURRENCY", "CHF")
    assert run("account", "limit", account, "--budget", "40.5") == "limits   budget a month: 40.5\n"
    for report in (run("account", "show", account), run("account", "list")):
        assert "0 of 10; 0.00 of 40.50 CHF" in report
    assert run("account", "plans", "set", "trial", "--budget", "5").splitlines()[1].split()[-1] == "5"
    assert run("account", "limit", account, "--budget", "default") == "limits   as its plan and the settings say\n"


@pytest.mark.parametrize("value", ["0", "-1", "40 EUR", "1.005", "1e3"])
def test_what_is_no_budget_is_refused(account: str, fails: Fails, value: str) -> None:
    assert "budget" in fails("account", "limit", account, f"--budget={value}")


def test_a_budget_without_prices_is_reported(account: str) -> None:
    assert "no price is set" in attempt("account", "limit", account, "--budget", "40").stderr


def test_an_account_is_suspended_and_resumed(account: str, fails: Fails) -> None:
    assert run("account", "suspend", account) == f"suspended  {account}\n"
    assert "\nsuspended  " in run("account", "show", account)
    assert "suspended already" in fails("account", "suspend", account)
    assert run("account", "resume", account) == f"resumed  {account}\n"
    assert "suspended" not in run("account", "show", account)
    assert "no account" in fails("account", "suspend", str(uuid4()))
