"""Own fields are found for invoices that are read, by what their account has said."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import pytest

from serve_app.domain.account import Account, Plan
from serve_app.domain.batch import Section
from serve_app.domain.confidence import Confidence
from serve_app.domain.errors import StoreUnreachable
from serve_app.domain.evidence import pack
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import CustomValue, Extraction, Field
from serve_app.domain.own_field import OwnFieldScope
from serve_app.domain.own_field_example import FieldTrial, OwnFieldExample
from serve_app.services.own_fields.finding import OwnFieldFinder, proofs_of
from serve_app.store.base import OwnFieldExamples, Store
from serve_app.store.base.charts import ExamplesState
from tests.extraction.own_fields.pages import field, invoice, plates
from tests.extraction.own_fields.test_find_lines import table, taught
from tests.store.test_own_fields import teach
from tests.store.test_reviews import read_new
from tests.support import NOON

PLATE = field(required=True)
SECTION = Section(1, 1, Extraction(), evidence=pack(invoice("M-AB 345", rows=2)), keys=("name:holm",))


@dataclass(frozen=True)
class Known(OwnFieldExamples):
    """Examples that are there from the start."""

    examples: Sequence[OwnFieldExample]

    async def newest(self, account_id: UUID, limit: int) -> list[OwnFieldExample]:
        return list(self.examples[:limit])

    async def state(self, account_id: UUID) -> ExamplesState:
        return ExamplesState(len(self.examples), NOON)


class Lost(Known):
    async def state(self, account_id: UUID) -> ExamplesState:
        raise StoreUnreachable


async def plate_of(store: Store, account: Account, examples: OwnFieldExamples) -> CustomValue:
    (section,) = await OwnFieldFinder(store.own_fields, examples).apply(account.id, new_id(), [SECTION])
    return section.extraction.custom["plate"]


def tried(*right: bool) -> list[OwnFieldExample]:
    """The plates of three invoices, and of so many more whether they were found rightly."""
    trials = [OwnFieldExample(new_id(), (), {}, [FieldTrial("plate", 0.8, is_right=each)]) for each in right]
    return [*plates("B-XY 12", "B-ZZ 9", "C-A 1"), *trials]


@pytest.fixture
async def fields(store: Store, account: Account) -> None:
    await store.own_fields.put(account.id, PLATE)


async def test_accounts_without_own_fields_have_none(store: Store, account: Account) -> None:
    (section,) = await OwnFieldFinder(store.own_fields, Lost([])).apply(account.id, new_id(), [SECTION])
    assert section is SECTION


@pytest.mark.usefixtures("fields")
class TestLevels:
    async def test_what_was_not_found_is_there_without_a_value(self, store: Store, account: Account) -> None:
        assert await plate_of(store, account, Known([])) == CustomValue(required=True)

    async def test_both_ways_make_mid_and_one_alone_low(self, store: Store, account: Account) -> None:
        own, others = plates("B-XY 12"), plates("B-XY 12", vendor="else", caption="Plate")
        agreed, alone = await plate_of(store, account, Known(own)), await plate_of(store, account, Known(others))
        assert (agreed.value, agreed.confidence, agreed.required) == ("M-AB 345", Confidence.MID, True)
        assert alone.confidence is not Confidence.MID

    async def test_so_many_right_ones_of_the_account_make_it_high(self, store: Store, account: Account) -> None:
        assert (await plate_of(store, account, Known(tried(*[True] * 298)))).confidence is Confidence.MID
        assert (await plate_of(store, account, Known(tried(*[True] * 299)))).confidence is Confidence.HIGH

    async def test_latest_wrong_ones_take_it_back(self, store: Store, account: Account) -> None:
        examples = tried(False, False, *[True] * 900)
        assert proofs_of(examples)["plate"].has_changed
        assert (await plate_of(store, account, Known(examples))).confidence is Confidence.MID

    async def test_while_the_store_is_out_of_reach_nothing_is_added(self, store: Store, account: Account) -> None:
        (section,) = await OwnFieldFinder(store.own_fields, Lost([])).apply(account.id, new_id(), [SECTION])
        assert section is SECTION


@pytest.mark.usefixtures("fields")
async def test_an_error_while_finding_ends_neither_a_run_nor_a_review(
    store: Store, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise IndexError

    monkeypatch.setattr("serve_app.extraction.own_fields.find.find_own_fields", fail)
    assert await plate_of(store, account, Known(plates("B-XY 12"))) == CustomValue(required=True)
    finder = OwnFieldFinder(store.own_fields, Known(plates("B-XY 12")))
    assert await finder.renewed(account.id, new_id(), [PLATE], invoice("M-AB 345")) == {}


@pytest.mark.usefixtures("fields")
async def test_what_is_said_teaches_its_account_only(store: Store, account: Account) -> None:
    other = Account(new_id(), Plan.FREE, NOON)
    await store.accounts.add(other)
    await store.own_fields.put(other.id, PLATE)
    finder = OwnFieldFinder(store.own_fields, store.own_field_examples)
    assert (await finder.apply(account.id, new_id(), [SECTION]))[0].extraction.custom["plate"].value is None
    await teach(store, await read_new(store, account), plates("B-XY 12")[0])
    # Learned again beside the document.
    await finder.apply(account.id, new_id(), [SECTION])
    await finder.idle()
    found = [(await finder.apply(each.id, new_id(), [SECTION]))[0].extraction.custom for each in (account, other)]
    assert [custom["plate"].value for custom in found] == ["M-AB 345", None]


class TestLines:
    LOT = field("lot", "Batch", scope=OwnFieldScope.LINE, required=True)

    async def lots_of(self, store: Store, account: Account, *examples: OwnFieldExample) -> list[CustomValue]:
        await store.own_fields.put(account.id, self.LOT)
        evidence, items, places = table("A14", "", heading="Lot no.")
        read = Extraction(line_items=items, citations={Field.LINE_ITEMS: [each for each in places if each]})
        section = Section(1, 1, read, evidence=pack(evidence), keys=("name:holm",))
        (found,) = await OwnFieldFinder(store.own_fields, Known(examples)).apply(account.id, new_id(), [section])
        assert found.extraction.custom == {}
        return [item.custom["lot"] for item in found.extraction.line_items]

    async def test_each_line_has_its_own(self, store: Store, account: Account) -> None:
        first, second = await self.lots_of(store, account, taught(table("A12", "A13"), {1: "A12"}))
        assert (first.value, first.confidence, first.required) == ("A14", Confidence.MID, True)
        assert second == CustomValue(required=True)

    async def test_the_lines_of_an_invoice_prove_as_much_as_one_value(self, store: Store, account: Account) -> None:
        example, trial = taught(table("A12", "A13"), {1: "A12"}), FieldTrial("lot", 0.8, is_right=True)

        async def level(invoices: int) -> Confidence | None:
            known = [OwnFieldExample(new_id(), (), {}, [trial] * 20) for _ in range(invoices)]
            return (await self.lots_of(store, account, example, *known))[0].confidence

        assert (await level(298), await level(299)) == (Confidence.MID, Confidence.HIGH)
