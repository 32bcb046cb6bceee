"""The page of own fields, and own fields in the review."""

from serve_app.domain.account import Account
from serve_app.domain.evidence import pack
from serve_app.domain.invoice import Confidence, CustomValue, Extraction, Field
from serve_app.domain.own_field import OwnField, OwnFieldScope, OwnFieldType
from serve_app.domain.person import Role
from serve_app.domain.record import InvoiceRecord, evidence_key_of
from serve_app.domain.vendor import NOTHING_KNOWN
from serve_app.store.base import Files, Store
from tests.extraction.own_fields.pages import invoice
from tests.extraction.own_fields.test_find_lines import table
from tests.support import NOON, claim_next, queue_new
from tests.web.conftest import Browse

PLATE = OwnField(name="plate", label="Licence <plate>", type=OwnFieldType.TEXT, captions=["Car"], required=True)
DAY = OwnField(name="day", label="Delivered", type=OwnFieldType.DATE)
SIZE = OwnField(name="size", label="Size", type=OwnFieldType.CHOICE, choices=["small", "large"])


async def add(store: Store, account: Account, *fields: OwnField) -> None:
    for field in fields:
        assert await store.own_fields.put(account.id, field)


async def read(store: Store, files: Files, account: Account) -> InvoiceRecord:
    """An invoice of a garage that was read before there were own fields."""
    await queue_new(store, account.id)
    claim = await claim_next(store)
    key = evidence_key_of(account.id, claim.invoice.id, 1)
    await files.write(key, pack(invoice("B-XY 12")))
    extraction = Extraction(vendor_name="Garage Holm", pages=1, custom={"day": CustomValue()})
    await store.queue.save_result(claim, extraction, NOON, (), NOTHING_KNOWN, key)
    return await found(store, claim)


async def found(store: Store, record: InvoiceRecord) -> InvoiceRecord:
    latest = await store.invoices.find_record(record.account_id, record.invoice.id)
    assert latest is not None
    return latest


class TestPage:
    async def test_without_fields_the_next_step_is_named(self, browse: Browse) -> None:
        page = (await browse().get("/app/fields")).text
        assert "No own fields yet" in page
        assert "by clicking its words" in page
        assert "Add a field" not in (await browse(Role.VIEWER).get("/app/fields")).text

    async def test_a_field_is_added_and_removed(self, browse: Browse, store: Store, account: Account) -> None:
        browser = browse()
        form = {"label": "Delivery date", "type": "date", "captions": "Delivered on\n\nLieferdatum", "required": "1"}
        await browser.post("/app/fields", data=form)
        (field,) = await store.own_fields.of_account(account.id)
        assert (field.name, field.type, field.required) == ("delivery_date", OwnFieldType.DATE, True)
        assert field.captions == ["Delivered on", "Lieferdatum"]
        page = (await browser.get("/app/fields")).text
        assert "Not proved yet" in page
        assert "Remove Delivery date?" in (await browser.get("/app/fields/delivery_date/delete")).text
        await browser.post("/app/fields/delivery_date/delete")
        assert await store.own_fields.of_account(account.id) == []

    async def test_a_field_of_lines_is_added(self, browse: Browse, store: Store, account: Account) -> None:
        browser = browse()
        await browser.post("/app/fields", data={"label": "Lot", "type": "text", "scope": "line"})
        (field,) = await store.own_fields.of_account(account.id)
        assert field.scope is OwnFieldScope.LINE
        assert "Text, each line" in (await browser.get("/app/fields")).text

    async def test_a_wrong_field_is_explained_and_keeps_what_was_typed(self, browse: Browse) -> None:
        browser = browse()
        for form, text in (
            ({"label": "日", "type": "text"}, "Enter a name"),
            ({"label": "Size <x>", "type": "choice"}, "Needed for the type"),
            ({"label": "Size", "type": "none"}, "Choose a type"),
        ):
            answer = await browser.post("/app/fields", data=form)
            assert answer.status_code == 422
            assert text in answer.text
        await browser.post("/app/fields", data={"label": "Size", "type": "text"})
        again = await browser.post("/app/fields", data={"label": "Size", "type": "text"})
        assert "There is a field with this label" in again.text

    async def test_only_owners_change_fields(self, browse: Browse, store: Store, account: Account) -> None:
        await add(store, account, PLATE)
        browser = browse(Role.REVIEWER)
        assert "Licence &lt;plate&gt;" in (await browser.get("/app/fields")).text
        assert (await browser.post("/app/fields", data={"label": "X", "type": "text"})).status_code == 403
        assert (await browser.post("/app/fields/plate/delete")).status_code == 403


class TestReview:
    async def test_own_fields_have_inputs_and_what_would_be_found_now(
        self, browse: Browse, store: Store, files: Files, account: Account
    ) -> None:
        await add(store, account, PLATE, DAY, SIZE)
        record = await read(store, files, account)
        page = (await browse().get(f"/app/review/{record.invoice.id}")).text
        assert 'name="custom.plate"' in page
        assert "The account requires this value." in page
        assert '<option value="large">large</option>' in page
        # Found by the caption, and taken by its button.
        assert 'value="custom.plate:1"' in page
        assert "B-XY 12" in page

    async def test_values_are_entered_in_the_language_of_the_person(
        self, browse: Browse, store: Store, files: Files, account: Account
    ) -> None:
        await add(store, account, PLATE, DAY, SIZE)
        record = await read(store, files, account)
        browser, path = browse(), f"/app/review/{record.invoice.id}"
        form = {"revision": "0", "language": "de", "custom.day": "14.9.2026", "custom.size": "large"}
        await browser.post(path, data=form)
        custom = (await found(store, record)).invoice.custom
        assert (custom["day"].value, custom["size"].value) == ("2026-09-14", "large")
        await browser.post(path, data={"revision": "1", "language": "de", "take": "custom.plate:1"})
        custom = (await found(store, record)).invoice.custom
        assert custom["plate"].value == "B-XY 12"
        assert custom["plate"].citation is not None
        body = {"revision": 2, "language": "de", "fields": {"custom.day": {"value": "15.9.2026"}}}
        answer = (await browser.put(f"{path}/data", json=body)).json()
        assert answer["fields"]["custom.day"]["value"] == "2026-09-15"
        assert answer["entries"]["fields"]["custom.day"] == "15 Sept 2026"
        (newest,) = await store.own_field_examples.newest(account.id, 9)
        assert newest.places["plate"].text == "B-XY 12"


class TestReviewOfLines:
    LOT = OwnField(name="lot", label="Lot <no.>", type=OwnFieldType.TEXT, scope=OwnFieldScope.LINE, required=True)
    WEIGHT = OwnField(name="weight", label="Weight", type=OwnFieldType.NUMBER, scope=OwnFieldScope.LINE)
    GRADE = OwnField(
        name="grade", label="Grade", type=OwnFieldType.CHOICE, choices=["fine", "coarse"], scope=OwnFieldScope.LINE
    )

    async def read(self, store: Store, files: Files, account: Account) -> InvoiceRecord:
        """An invoice of two lines, on which the first lot was found."""
        await add(store, account, self.LOT, self.WEIGHT, self.GRADE)
        evidence, items, places = table("A12", "A13")
        found_lots = [CustomValue(value="A12", confidence=Confidence.LOW, score=0.4), CustomValue(required=True)]
        lines = [item.model_copy(update={"custom": {"lot": lot}}) for item, lot in zip(items, found_lots, strict=True)]
        await queue_new(store, account.id)
        claim = await claim_next(store)
        key = evidence_key_of(account.id, claim.invoice.id, 1)
        await files.write(key, pack(evidence))
        cited = {Field.LINE_ITEMS: [each for each in places if each]}
        extraction = Extraction(vendor_name="Holm Oils", pages=1, line_items=lines, citations=cited)
        await store.queue.save_result(claim, extraction, NOON, (), NOTHING_KNOWN, key)
        return await found(store, claim)

    async def test_each_is_a_column_of_the_lines(
        self, browse: Browse, store: Store, files: Files, account: Account
    ) -> None:
        record = await self.read(store, files, account)
        page = (await browse().get(f"/app/review/{record.invoice.id}")).text
        assert '<th data-column="custom.lot">Lot &lt;no.&gt;</th>' in page
        assert 'name="line_items-0-custom.lot" value="A12"' in page
        assert 'aria-label="Lot &lt;no.&gt;, line 1, to check"' in page
        assert 'aria-label="Lot &lt;no.&gt;, line 2, to check"' in page
        assert 'aria-label="Weight, line 1"' in page
        assert '<datalist id="choices-custom.grade"><option value="fine">' in page

    async def test_a_form_without_scripts_saves_them(
        self, browse: Browse, store: Store, files: Files, account: Account
    ) -> None:
        record = await self.read(store, files, account)
        browser, path = browse(), f"/app/review/{record.invoice.id}"
        rows = [
            {"description": "Oil A", "quantity": "2", "total": "5", "custom.lot": "A12", "custom.weight": "1,5"},
            {"description": "Oil B", "quantity": "3", "total": "6", "custom.lot": "A13", "custom.grade": "Fine"},
        ]
        form = {f"line_items-{at}-{name}": text for at, row in enumerate(rows) for name, text in row.items()}
        await browser.post(path, data={"revision": "0", "language": "de", **form})
        invoice = (await found(store, record)).invoice
        assert sorted(invoice.review.fields) == ["line.1.custom.weight", "line.2.custom.grade", "line.2.custom.lot"]
        said = [{name: each.value for name, each in item.custom.items()} for item in invoice.line_items]
        assert said == [{"lot": "A12", "weight": "1.5"}, {"lot": "A13", "grade": "fine"}]

    async def test_what_was_picked_on_the_page_teaches_its_place(
        self, browse: Browse, store: Store, files: Files, account: Account
    ) -> None:
        record = await self.read(store, files, account)
        path = f"/app/review/{record.invoice.id}/data"
        place = {"page": 1, "box": [0.299, 0.239, 0.326, 0.253], "text": "A13"}
        lots = [{"value": "A12"}, {"value": "A13", "citation": place}]
        cells = [
            {"description": f"Oil {'AB'[at]}", "quantity": str(at + 2), "total": str(at + 5), "custom": {"lot": lot}}
            for at, lot in enumerate(lots)
        ]
        browser = browse()
        answer = (await browser.put(path, json={"revision": 0, "language": "en", "line_items": cells})).json()
        assert answer["line_items"]["decision"] is None
        assert [row["custom.lot"] for row in answer["entries"]["line_items"]] == ["A12", "A13"]
        (taught,) = await store.own_field_examples.newest(account.id, 9)
        (row,) = taught.rows["lot"]
        assert row.position is not None
        assert (row.text, row.position.above) == ("A13", "lot no")
        heavy = {"revision": 1, "language": "en", "line_items": [{"custom": {"weight": {"value": "heavy"}}}]}
        wrong = await browser.put(path, json=heavy)
        assert (wrong.status_code, wrong.json()["message"][:14]) == (400, "Weight, line 1")
