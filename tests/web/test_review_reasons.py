"""What the review screen says of a document and of a field: each reason once, where it belongs."""

import re
from datetime import date

import pytest

from serve_app.domain.account import Account
from serve_app.domain.evidence import Candidate, Doubt, DoubtCode, Evidence, FieldEvidence, ReadBy, pack
from serve_app.domain.invoice import Confidence, Field
from serve_app.domain.vendor import NOTHING_KNOWN
from serve_app.store.base import Files, Store
from tests.support import NOON, claim_next, queue_new
from tests.support.mails import READ
from tests.web.conftest import Browse

MISSED = "The lines miss the total by 12.00."
ALL = (Field.VENDOR, Field.INVOICE_NUMBER, Field.ISSUED_AT, Field.DUE_AT, Field.AMOUNT, Field.TAX, Field.CURRENCY)
MODEL = re.compile(r"model|both|\d ?%", re.IGNORECASE)


async def shown(
    browse: Browse,
    store: Store,
    files: Files,
    account: Account,
    fields: dict[Field, FieldEvidence],
    **values: object,
) -> str:
    """The form of an invoice of which a run saw this; these fields are not sure."""
    record = await queue_new(store, account.id)
    key = f"evidence/{account.id}/{record.invoice.id}/1"
    await files.write(key, pack(Evidence(fields={str(name): seen for name, seen in fields.items()})))
    levels = {name: Confidence.MID if name in fields else Confidence.HIGH for name in ALL}
    read = READ.model_copy(update={"field_confidence": levels, **values})
    await store.queue.save_result(await claim_next(store), read, NOON, (), NOTHING_KNOWN, key)
    text = (await browse().get(f"/app/review/{record.invoice.id}")).text
    return text.partition('<form class="fields"')[2].partition("</form>")[0]


def entry(form: str, name: Field) -> str:
    return form.partition(f'data-field="{name}"')[2].partition('data-field="')[0]


def plain(markup: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", markup)).strip()


def doubt(code: DoubtCode, text: str) -> FieldEvidence:
    return FieldEvidence(doubt=Doubt(code, text))


@pytest.mark.parametrize(
    ("code", "text", "reason"),
    [
        (DoubtCode.SUMS_MISS, MISSED, MISSED),
        (DoubtCode.OTHER_DOCUMENT, "-", "The pages look like another kind of document, or like several."),
    ],
)
async def test_what_concerns_the_document_is_said_once(
    browse: Browse, store: Store, files: Files, account: Account, code: DoubtCode, text: str, reason: str
) -> None:
    seen = dict.fromkeys((*ALL[:6], Field.LINE_ITEMS), doubt(code, text))
    form = await shown(browse, store, files, account, seen)
    assert plain(form).count(reason) == 1
    assert form.count("entry is-doubtful") == 6
    assert 'class="why' not in form


async def test_a_value_that_is_unusual_says_so_only_where_it_is(
    browse: Browse, store: Store, files: Files, account: Account
) -> None:
    unusual = doubt(DoubtCode.IMPLAUSIBLE, "The models agree, but the value does not fit the others.")
    form = await shown(browse, store, files, account, {Field.VENDOR: unusual, Field.DUE_AT: unusual})
    assert 'class="why' not in form
    assert "does not fit the others" not in form
    early = await shown(browse, store, files, account, {Field.DUE_AT: unusual}, due_at=date(2026, 4, 1))
    assert "The due date is before the issue date." in entry(early, Field.DUE_AT)


async def test_readings_have_no_names_of_models_and_no_scores(
    browse: Browse, store: Store, files: Files, account: Account
) -> None:
    box = (0, 0, 100, 100)
    one = Candidate("1190.5", "1.190,50", (ReadBy.EXTRACTOR, ReadBy.BOTH), 0.62, 1, box)
    other = Candidate("1000.5", "1.000,50", (ReadBy.VERIFIER,), 0.25, 1, box)
    differ = Doubt(DoubtCode.MODELS_DIFFER, "The models differ: 1,190.50 and 1,000.50.")
    form = await shown(browse, store, files, account, {Field.AMOUNT: FieldEvidence((one, other), differ)})
    amount = entry(form, Field.AMOUNT)
    assert "Two readings: 1,190.50 EUR and 1,000.50 EUR." in plain(amount)
    assert MODEL.search(plain(amount)) is None
    alone = FieldEvidence((one,), Doubt(DoubtCode.MODELS_DIFFER, "Only one of the two models reads 1,190.50."))
    form = await shown(browse, store, files, account, {Field.AMOUNT: alone})
    assert "Only one of two readings is 1,190.50 EUR." in plain(form)


async def test_under_sure_values_there_is_nothing(browse: Browse, store: Store, files: Files, account: Account) -> None:
    one = Candidate("1190.5", "1.190,50", (ReadBy.BOTH,), 0.25, 1, (0, 0, 100, 100))
    form = await shown(browse, store, files, account, {}, field_confidence=dict.fromkeys(ALL, Confidence.HIGH))
    below = re.findall(r'class="below"[^>]*>(.*?)</div>', form, flags=re.DOTALL)
    assert {plain(each) for each in below} == {""}
    assert "level" not in form
    assert "data-candidate" not in form
    kept = await shown(
        browse,
        store,
        files,
        account,
        {Field.AMOUNT: FieldEvidence((one,))},
        field_confidence=dict.fromkeys(ALL, Confidence.HIGH),
    )
    assert "data-candidate" not in kept


async def test_a_value_that_was_not_found_is_not_called_unprinted(
    browse: Browse, store: Store, files: Files, account: Account
) -> None:
    missing = doubt(DoubtCode.NOT_FOUND, "No value was found with enough certainty.")
    form = await shown(browse, store, files, account, {Field.INVOICE_NUMBER: missing}, invoice_number=None)
    assert "Not found. Enter the value if it is printed." in entry(form, Field.INVOICE_NUMBER)


async def test_the_queue_names_what_is_in_doubt(browse: Browse, store: Store, files: Files, account: Account) -> None:
    unsure = doubt(DoubtCode.UNSURE, "-")
    await shown(browse, store, files, account, {Field.VENDOR: unsure, Field.AMOUNT: unsure})
    queue = plain((await browse().get("/app/review")).text)
    assert "To look at" in queue
    assert "Vendor, Amount" in queue
