"""The chart as a page: imported with a preview, with rules."""

import httpx
import pytest

from serve_app.domain.account import Account
from serve_app.domain.coding import CodingExample, Trial
from serve_app.domain.person import Role
from serve_app.store.base import Store
from tests.store.test_charts import code
from tests.store.test_reviews import read_new
from tests.web.conftest import Browse

CODES = b"code;name\n4930;Office <supplies>\n4920;Telephone\n"
UPLOAD = "/app/chart/import"


async def import_codes(browser: httpx.AsyncClient, data: bytes = CODES, dimension: str = "account") -> httpx.Response:
    """Import as the preview's button does."""
    form = {"dimension": dimension, "text": data.decode(), "confirmed": "1"}
    return await browser.post(UPLOAD, data=form)


async def test_an_empty_chart_says_what_to_do_next(browse: Browse) -> None:
    text = (await browse().get("/app/chart")).text
    assert "No chart yet" in text
    assert "begin with a usual chart" in text
    assert "/v1/chart" in text


async def test_a_file_is_shown_before_it_is_imported(browse: Browse, store: Store, account: Account) -> None:
    browser = browse()
    answer = await browser.post(UPLOAD, data={"dimension": "account"}, files={"file": ("codes.csv", CODES)})
    assert "2 new, 0 changed, 0 unchanged" in answer.text
    assert "Office &lt;supplies&gt;" in answer.text
    assert (await store.charts.of_account(account.id)).revision == 0
    assert (await import_codes(browser)).status_code == 303
    text = (await browser.get("/app/chart")).text
    assert "Office &lt;supplies&gt;" in text
    assert "2 codes" in text


async def test_a_usual_chart_is_a_beginning(browse: Browse, store: Store, account: Account) -> None:
    browser = browse()
    assert "DATEV SKR03" in (await browser.get("/app/chart")).text
    assert "Bürobedarf" in (await browser.post(UPLOAD, data={"start": "datev-skr03"})).text
    await browser.post(UPLOAD, data={"start": "datev-skr03", "confirmed": "1"})
    assert {each.key for each in (await store.charts.of_account(account.id)).dimensions} == {"account", "tax_code"}


async def test_each_wrong_line_is_shown(browse: Browse) -> None:
    answer = await browse().post(UPLOAD, data={"text": "code\n1\n1\n", "dimension": "account"})
    assert answer.status_code == 422
    assert "line 3: the code 1 is there twice." in answer.text
    answer = await browse().post(UPLOAD, data={"dimension": "account"})
    assert "Choose a file." in answer.text


async def test_rules_are_added_and_removed(browse: Browse, store: Store, account: Account) -> None:
    browser = browse()
    await import_codes(browser)
    rule = {"vendor": "Muster", "contains": "paper", "dimension": "account", "code": "4930"}
    assert (await browser.post("/app/chart/rules", data=rule)).status_code == 303
    assert "Muster" in (await browser.get("/app/chart")).text
    wrong = await browser.post("/app/chart/rules", data=rule | {"code": "1"})
    assert wrong.status_code == 422
    assert "Accounts have no active code 1." in wrong.text
    assert (await browser.post("/app/chart/rules/0/delete")).status_code == 303
    assert (await store.charts.of_account(account.id)).rules == []


async def test_a_dimension_is_removed_with_its_rules_after_a_question(
    browse: Browse, store: Store, account: Account
) -> None:
    browser = browse()
    await import_codes(browser)
    await import_codes(browser, b"code\n10\n", "cost_center")
    await browser.post("/app/chart/rules", data={"vendor": "Muster", "dimension": "account", "code": "4930"})
    path = "/app/chart/dimensions/account/delete"
    assert "2 codes are removed" in (await browser.get(path)).text
    await browser.post(path)
    chart = await store.charts.of_account(account.id)
    assert [each.key for each in chart.dimensions] == ["cost_center"]
    assert chart.rules == []


@pytest.mark.parametrize("role", [Role.REVIEWER, Role.VIEWER])
async def test_only_owners_change_the_chart(browse: Browse, role: Role, store: Store, account: Account) -> None:
    browser = browse(role)
    text = (await browser.get("/app/chart")).text
    assert "Import codes" not in text
    assert (await import_codes(browser)).status_code == 403
    assert (await store.charts.of_account(account.id)).revision == 0


async def test_what_suggestions_were_worth_is_shown(browse: Browse, store: Store, account: Account) -> None:
    browser = browse()
    await import_codes(browser)
    example = CodingExample("acme", "", [], [Trial("account", 0.5, is_right=True)])
    await code(store, await read_new(store, account), example)
    text = (await browser.get("/app/chart")).text
    assert "Not proved yet" in text
