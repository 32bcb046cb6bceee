"""Fields that accounts add, and what people said about them."""

from datetime import timedelta
from typing import Any

from serve_app.domain.account import Account, Plan
from serve_app.domain.confidence import Confidence
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Citation, CustomValue, Extraction, FieldSource, LineItem
from serve_app.domain.memory import ValuePosition
from serve_app.domain.own_field import OwnField, OwnFieldScope, OwnFieldType
from serve_app.domain.own_field_example import FieldPlace, FieldTrial, Neighbour, OwnFieldExample
from serve_app.domain.query import InvoiceQuery, custom_term
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.review import Review
from serve_app.store.base import Store
from serve_app.store.base.reviews import NewReview
from tests.store.test_reviews import found, read_new, saying
from tests.support import NOON

PLATE = OwnField(name="plate", label="Licence plate", type=OwnFieldType.TEXT, captions=["Kennzeichen"])
SIZE = OwnField(
    name="size",
    label="Size",
    type=OwnFieldType.CHOICE,
    scope=OwnFieldScope.LINE,
    choices=["small", "large"],
    required=True,
)
PLACE = FieldPlace("B-XY 12", "B-XY 12", ValuePosition("kennzeichen", "", 0, 0, 5, 7), (Neighbour("auto", -4, 20),))


def example(record: InvoiceRecord, **more: Any) -> OwnFieldExample:
    values: dict[str, Any] = {"keys": ("name:acme",), "places": {"plate": PLACE}, **more}
    return OwnFieldExample(record.invoice.id, **values)


async def teach(store: Store, record: InvoiceRecord, taught: OwnFieldExample | None, minutes: int = 0) -> None:
    at = NOON + timedelta(minutes=minutes)
    new = NewReview(record.review, record.review_revision, at, own_fields=taught)
    assert await store.reviews.save(record.account_id, record.invoice.id, new) is not None


async def test_fields_are_added_replaced_and_removed(store: Store, account: Account) -> None:
    assert await store.own_fields.of_account(account.id) == []
    assert await store.own_fields.put(account.id, SIZE)
    assert await store.own_fields.put(account.id, PLATE)
    assert await store.own_fields.of_account(account.id) == [PLATE, SIZE]
    other = SIZE.model_copy(update={"label": "Wie groß"})
    assert await store.own_fields.put(account.id, other)
    assert await store.own_fields.of_account(account.id) == [PLATE, other]
    assert await store.own_fields.remove(account.id, "plate")
    assert not await store.own_fields.remove(account.id, "plate")
    assert await store.own_fields.of_account(account.id) == [other]


async def test_fields_are_their_accounts_alone_and_go_with_it(store: Store, account: Account) -> None:
    other = Account(new_id(), Plan.FREE, NOON)
    await store.accounts.add(other)
    await store.own_fields.put(account.id, PLATE)
    assert await store.own_fields.of_account(other.id) == []
    assert not await store.own_fields.remove(other.id, "plate")
    await store.erasure.account(account.id)
    assert await store.own_fields.of_account(account.id) == []
    assert not await store.own_fields.put(account.id, PLATE)


async def test_examples_are_listed_the_newest_decision_first(store: Store, account: Account) -> None:
    assert await store.own_field_examples.state(account.id) == (0, None)
    first, second = await read_new(store, account), await read_new(store, account)
    later = example(first, trials=[FieldTrial("plate", 0.5, is_right=True)])
    await teach(store, first, later, minutes=9)
    await teach(store, second, example(second, places={"plate": FieldPlace(None)}), minutes=2)
    newest = await store.own_field_examples.newest(account.id, 10)
    assert newest == [later, example(second, places={"plate": FieldPlace(None)})]
    assert await store.own_field_examples.newest(account.id, 1) == [later]
    assert await store.own_field_examples.state(account.id) == (2, NOON + timedelta(minutes=9))
    assert await store.own_field_examples.newest(new_id(), 10) == []
    await teach(store, await found(store, first), None, minutes=10)
    assert (await store.own_field_examples.state(account.id)).number == 1


async def test_an_erased_invoice_teaches_nothing(store: Store, account: Account) -> None:
    record = await read_new(store, account)
    await teach(store, record, example(record))
    await store.erasure.invoice(await found(store, record), NOON)
    assert await store.own_field_examples.newest(account.id, 10) == []


async def test_a_decided_value_lies_over_the_one_that_was_found(store: Store, account: Account) -> None:
    place = Citation(page=1, box=(0.1, 0.2, 0.3, 0.4), text="B-XY 12")
    was = CustomValue(value="B-XY 12", confidence=Confidence.LOW, score=0.5, reason="Caption.", citation=place)
    record = await read_new(store, account, Extraction(custom={"plate": was}))
    assert record.invoice.custom["plate"] == was.model_copy(update={"source": FieldSource.MODELS})
    changed = record.review.changed(saying(**{"custom.plate": "M-AB 1", "custom.size": "large"}))
    record = await saved(store, record, changed)
    assert {name: (each.value, each.source) for name, each in record.invoice.custom.items()} == {
        "plate": ("M-AB 1", FieldSource.PERSON),
        "size": ("large", FieldSource.PERSON),
    }
    assert record.invoice.review.corrections["custom.plate"].read == "B-XY 12"
    record = await saved(store, record, record.review.undone())
    assert record.invoice.custom["plate"] == was.model_copy(update={"source": FieldSource.MODELS})
    assert record.invoice.custom["size"].value is None


async def saved(store: Store, record: InvoiceRecord, review: Review) -> InvoiceRecord:
    new = NewReview(review, record.review_revision, NOON + timedelta(minutes=1))
    saved = await store.reviews.save(record.account_id, record.invoice.id, new)
    assert saved is not None
    return await found(store, saved)


async def test_lists_are_filtered_by_an_own_field(store: Store, account: Account) -> None:
    record = await read_new(store, account, Extraction(custom={"plate": CustomValue(value="B-XY 12")}))
    await read_new(store, account, Extraction(custom={"plate": CustomValue()}))

    async def ids(value: str) -> list[object]:
        page = await store.invoices.page(account.id, InvoiceQuery(custom=custom_term("plate", value)), 10)
        return [invoice.id for invoice in page.items]

    assert await ids("B-XY 12") == [record.invoice.id]
    assert await ids("B-XY") == []
    await saved(store, record, record.review.changed(saying(**{"custom.plate": "M-AB 1"})))
    assert (await ids("B-XY 12"), await ids("M-AB 1")) == ([], [record.invoice.id])
    await store.erasure.invoice(await found(store, record), NOON)
    assert await ids("M-AB 1") == []


async def test_own_fields_of_lines_are_kept_decided_on_and_listed_like_others(store: Store, account: Account) -> None:
    lines = [
        LineItem(
            description=name, quantity=None, unit_price=None, confidence=None, custom={"lot": CustomValue(value=lot)}
        )
        for name, lot in (("Oil", "A 1"), ("Gas", "A 1"), ("Tar", None))
    ]
    record = await read_new(store, account, Extraction(line_items=lines))

    async def ids(value: str) -> list[object]:
        page = await store.invoices.page(account.id, InvoiceQuery(custom=custom_term("lot", value)), 10)
        return [invoice.id for invoice in page.items]

    assert await ids("A 1") == [record.invoice.id]
    record = await saved(store, record, record.review.changed(saying(**{"line.3.custom.lot": "B 2"})))
    found_now = [(item.custom["lot"].value, item.custom["lot"].source) for item in record.invoice.line_items]
    assert found_now == [("A 1", FieldSource.MODELS), ("A 1", FieldSource.MODELS), ("B 2", FieldSource.PERSON)]
    assert (await ids("A 1"), await ids("B 2")) == ([record.invoice.id], [record.invoice.id])
    await teach(store, record, example(record, rows={"lot": [PLACE]}))
    (taught,) = await store.own_field_examples.newest(account.id, 10)
    assert taught.rows == {"lot": [PLACE]}


async def test_an_invoice_that_lacks_a_required_field_needs_a_person(store: Store, account: Account) -> None:
    sure = CustomValue(value="large", confidence=Confidence.HIGH, required=True)
    for value in (sure, sure.model_copy(update={"confidence": Confidence.MID}), CustomValue(required=True)):
        await read_new(store, account, Extraction(auto_verified=True, custom={"size": value}))
    page = await store.invoices.page(account.id, InvoiceQuery(to_check=True), 10)
    assert [invoice.custom["size"].confidence for invoice in page.items] == [None, Confidence.MID]
