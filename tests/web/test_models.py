"""The operators' page about models."""

from uuid import UUID

import httpx
import pytest

from serve_app.domain.account import Account, Plan
from serve_app.domain.canary import CanaryState
from serve_app.domain.comparison import Comparison, Difference, Right
from serve_app.domain.ids import new_id
from serve_app.domain.person import Role
from serve_app.services.bundle import Services
from serve_app.store.base import Store
from tests.support import NOON, queue_new
from tests.support.people import COMMAND_LINE
from tests.web.conftest import Browse

PATH = "/app/operator/models"
DIFFERENCES = (Difference("amount", "119", "100", Right.FIRST), Difference("vendor", "<b>Acme", None))


@pytest.fixture
def operator(browse: Browse) -> httpx.AsyncClient:
    return browse(Role.VIEWER, is_operator=True)


async def compare(store: Store, account_id: UUID, candidate: str = "new") -> Comparison:
    record = await queue_new(store, account_id)
    made = Comparison(record.invoice.id, account_id, candidate, NOON, differences=DIFFERENCES)
    await store.comparisons.put([made])
    return made


async def test_without_candidates_it_says_so(operator: httpx.AsyncClient) -> None:
    page = (await operator.get(PATH)).text
    for text in ("No replica answers.", "None yet.", "No invoice was read by two model pairs"):
        assert text in page


async def test_changes_by_field_and_examples_with_a_link(
    operator: httpx.AsyncClient, store: Store, account: Account
) -> None:
    made = await compare(store, account.id)
    page = (await operator.get(PATH)).text
    assert "1 (100" in page
    assert f'href="/app/invoices/{made.invoice_id}"' in page
    assert "119" in page
    assert "&lt;b&gt;Acme" in page


async def test_values_of_other_accounts_are_not_shown(operator: httpx.AsyncClient, store: Store) -> None:
    other = Account(new_id(), Plan.FREE, NOON)
    await store.accounts.add(other)
    made = await compare(store, other.id)
    page = (await operator.get(PATH)).text
    assert str(other.id) in page
    for hidden in ("119", "Acme", str(made.invoice_id)):
        assert hidden not in page


async def test_one_of_several_candidates(operator: httpx.AsyncClient, store: Store, account: Account) -> None:
    await compare(store, account.id, "a")
    await compare(store, account.id, "b")
    assert "by a since" in " ".join((await operator.get(PATH)).text.split())
    assert "by b since" in " ".join((await operator.get(f"{PATH}?candidate=b")).text.split())
    assert (await operator.get(f"{PATH}?candidate=c")).status_code == 400


async def test_the_canary_with_its_evidence(operator: httpx.AsyncClient, store: Store, services: Services) -> None:
    await services.candidates.start("new", COMMAND_LINE, 0.1)
    page = (await operator.get(PATH)).text
    for text in ("Running", "10%", "Agreement", "120 the canary is rolled back"):
        assert text in page
    canary = await store.canaries.present()
    assert canary is not None
    ended = canary.ended(CanaryState.ROLLED_BACK, "it fails more often", NOON, {"failures": 140.06})
    assert await store.canaries.put(ended, canary)
    assert "it fails more often" in (await operator.get(PATH)).text
    await services.candidates.start("newer", COMMAND_LINE, 1.0)
    page = (await operator.get(PATH)).text
    assert "Rolled back" in page[page.index("Earlier") :]


async def test_only_operators_see_it(browse: Browse) -> None:
    assert (await browse(Role.OWNER).get(PATH)).status_code == 403
