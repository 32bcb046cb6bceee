"""Suggestions of codes in the service: for whom, from what, and when they are learned again."""

from uuid import UUID

import pytest

from serve_app.domain.account import Account, Plan
from serve_app.domain.batch import Section
from serve_app.domain.chart import Chart, ChartCode, Dimension
from serve_app.domain.coding import CodedLine, CodingExample, CodingStatus, Part
from serve_app.domain.errors import StoreUnreachable
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Extraction
from serve_app.services.coding.suggestions import CodeSuggestions
from serve_app.store.base import CodingExamples, Store
from serve_app.store.base.charts import ExamplesState
from tests.store.test_charts import code
from tests.store.test_reviews import found, read_new
from tests.support import NOON

CODES = [ChartCode(code="4930", name="Office supplies"), ChartCode(code="4920", name="Telephone")]
CHART = Chart(dimensions=[Dimension(key="account", name="Accounts", codes=CODES)])
SECTION = Section(1, 1, Extraction(vendor_name="Muster KG"))
LINE = CodedLine("", None, [Part("100", {"account": "4920"})])
EXAMPLE = CodingExample("musterkg", "", [LINE] * 3, [])


@pytest.fixture
def suggestions(store: Store) -> CodeSuggestions:
    return CodeSuggestions(store.charts, store.coding_examples)


async def account_of(suggestions: CodeSuggestions, account_id: UUID) -> str | None:
    """The account that is suggested."""
    (section,) = await suggestions.apply(account_id, None, [SECTION])
    coding = section.extraction.coding
    return None if coding is None else coding.postings[0].codes["account"].value


async def confirm(store: Store, account: Account) -> None:
    await code(store, await read_new(store, account), EXAMPLE)


async def test_without_a_chart_there_is_no_coding(suggestions: CodeSuggestions, account: Account) -> None:
    (section,) = await suggestions.apply(account.id, None, [SECTION])
    assert section is SECTION


async def test_what_was_decided_is_suggested_to_this_account_only(
    suggestions: CodeSuggestions, store: Store, account: Account
) -> None:
    other = Account(new_id(), Plan.FREE, NOON)
    await store.accounts.add(other)
    for each in (account, other):
        await store.charts.put(each.id, CHART, 0)
    await confirm(store, account)
    assert await account_of(suggestions, account.id) == "4920"
    (section,) = await suggestions.apply(other.id, None, [SECTION])
    assert section.extraction.coding is not None
    assert "nothing like it" in (section.extraction.coding.postings[0].codes["account"].reason or "")


async def test_a_document_does_not_wait_for_what_is_learned_again(
    suggestions: CodeSuggestions, store: Store, account: Account
) -> None:
    await store.charts.put(account.id, CHART, 0)
    before = await suggestions.coder(account.id)
    await confirm(store, account)
    assert await suggestions.coder(account.id) is before
    await suggestions.idle()
    assert await suggestions.coder(account.id) is not before
    assert await account_of(suggestions, account.id) == "4920"


async def test_a_changed_chart_counts_at_once(suggestions: CodeSuggestions, store: Store, account: Account) -> None:
    await store.charts.put(account.id, CHART, 0)
    await confirm(store, account)
    assert await account_of(suggestions, account.id) == "4920"
    chart = CHART.with_dimension(Dimension(key="account", name="Accounts", codes=CODES[:1]))
    await store.charts.put(account.id, chart, 1)
    assert await account_of(suggestions, account.id) != "4920"


async def test_an_open_invoice_is_shown_with_what_was_decided_since(
    suggestions: CodeSuggestions, store: Store, account: Account
) -> None:
    await store.charts.put(account.id, CHART, 0)
    await suggestions.coder(account.id)
    record = await found(store, await read_new(store, account))
    named = record.invoice.model_copy(update={"vendor_name": "Muster KG", "line_items": []})
    await confirm(store, account)
    coding = await suggestions.renewed(account.id, named)
    assert coding is not None
    assert coding.postings[0].codes["account"].value == "4920"
    confirmed = named.model_copy(update={"coding": coding.model_copy(update={"status": CodingStatus.CONFIRMED})})
    assert await suggestions.renewed(account.id, confirmed) is confirmed.coding


class Lost(CodingExamples):
    async def state(self, account_id: UUID) -> ExamplesState:
        raise StoreUnreachable

    async def newest(self, account_id: UUID, limit: int) -> list[CodingExample]:
        raise StoreUnreachable


async def test_while_the_store_is_out_of_reach_the_result_has_no_coding(store: Store, account: Account) -> None:
    await store.charts.put(account.id, CHART, 0)
    (section,) = await CodeSuggestions(store.charts, Lost()).apply(account.id, None, [SECTION])
    assert section is SECTION
