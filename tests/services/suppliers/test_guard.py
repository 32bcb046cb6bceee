"""A new invoice beside what the store has of its supplier."""

import json
from collections.abc import Sequence
from decimal import Decimal
from uuid import UUID

import pytest

from serve_app.domain.account import Account
from serve_app.domain.audit import Actor, ActorKind
from serve_app.domain.batch import Section
from serve_app.domain.errors import Unavailable
from serve_app.domain.ids import new_id
from serve_app.domain.inbound_mail import Heading, MailPart, Outcome
from serve_app.domain.invoice import CheckKind, CheckSeverity, Details, Extraction, Source, SupplierCheck
from serve_app.domain.mail_address import MailAddress
from serve_app.domain.person import Role
from serve_app.domain.vendor import NOTHING_KNOWN, VendorDetails
from serve_app.services.people.audit import AuditTrail
from serve_app.services.review.service import ReviewService
from serve_app.services.suppliers.guard import SupplierGuard
from serve_app.store.base import Files, Store
from tests.support import NOON, claim_next, make_record, newest_events, queue_invoice
from tests.support.inbound import add_address, add_mail
from tests.support.mails import complete_invoice
from tests.support.people import add_member

CLERK = Actor(ActorKind.PERSON, new_id(), "cleo@example.com")
IBAN, OTHER = "DE88200800000970375700", "DE89370400440532013000"


def read(iban: str, name: str = "Akme GmbH", tax: str | None = None) -> Extraction:
    details = Details(iban=iban, vendor_tax_id=tax)
    return Extraction(vendor_name=name, amount=Decimal(100), details=details, pages=1)


async def guarded(
    store: Store, account: Account, extraction: Extraction, vendor: VendorDetails = NOTHING_KNOWN
) -> Extraction:
    guard = SupplierGuard(store)
    (section,) = await guard.apply(account.id, new_id(), [Section(1, 1, extraction, vendor)])
    return section.extraction


async def kinds(
    store: Store, account: Account, extraction: Extraction, vendor: VendorDetails = NOTHING_KNOWN
) -> list[CheckKind]:
    return [check.kind for check in (await guarded(store, account, extraction, vendor)).checks]


async def test_changed_account_is_found_however_the_name_is_written(store: Store, account: Account) -> None:
    await complete_invoice(store, account.id, read(IBAN))

    assert await kinds(store, account, read(IBAN)) == []
    assert await kinds(store, account, read(OTHER, "AKME")) == [CheckKind.BANK_ACCOUNT_CHANGED]
    assert await kinds(store, account, read(OTHER, "Bolt Ltd")) == []


async def test_checks_of_the_file_are_kept_beside_those_of_the_supplier(store: Store, account: Account) -> None:
    text = "The file was changed after it was made: iban."
    changed = SupplierCheck(
        kind=CheckKind.FILE_CHANGED, severity=CheckSeverity.NOTICE, text=text, since=None, evidence=[]
    )
    await complete_invoice(store, account.id, read(IBAN))

    found = [CheckKind.BANK_ACCOUNT_CHANGED, CheckKind.FILE_CHANGED]
    assert await kinds(store, account, read(OTHER).model_copy(update={"checks": [changed]})) == found


async def test_supplier_of_an_unknown_name_is_found_by_tax_number_or_account(store: Store, account: Account) -> None:
    await complete_invoice(store, account.id, read(IBAN, tax="DE136695976"))
    await complete_invoice(store, account.id, read(OTHER, "Bolt Ltd", "GB980780684"))

    for name, severity in (
        ("", CheckSeverity.ALERT),
        ("Akme West", CheckSeverity.NOTICE),
    ):
        (check,) = (await guarded(store, account, read(OTHER, name, "DE136695976"))).checks
        assert (check.kind, check.severity) == (CheckKind.BANK_ACCOUNT_CHANGED, severity)
    assert await kinds(store, account, read(IBAN, "Alone", "DE136695976")) == []
    # A company that collects for several suppliers has one account.
    assert await kinds(store, account, read(IBAN, "Alone", "DE811907980")) == []


async def test_new_supplier_who_looks_like_a_known_one_with_another_account(store: Store, account: Account) -> None:
    site = VendorDetails(email="billing@nordwind.example")
    await complete_invoice(store, account.id, read(IBAN, "Nordwind Handel GmbH", "DE136695976"), site)

    assert await kinds(store, account, read(OTHER, "Nordvvind Handel GmbH")) == [CheckKind.LOOKALIKE]
    assert await kinds(store, account, read(IBAN, "Nordvvind Handel GmbH", "DE811907980")) == [CheckKind.LOOKALIKE]
    mail = VendorDetails(email="billing@nordwlnd.example")
    assert await kinds(store, account, read(OTHER, "Sales"), mail) == [CheckKind.LOOKALIKE]
    # The name was misread.
    assert await kinds(store, account, read(IBAN, "Nordvvind Handel GmbH")) == []
    assert await kinds(store, account, read(OTHER, "Southwind Ltd")) == []


async def test_lookalike_stays_one_until_a_person_confirms_it(store: Store, account: Account, files: Files) -> None:
    await complete_invoice(store, account.id, read(IBAN, "Nordwind Handel GmbH"))
    forged = read(OTHER, "Nordvvind Handel GmbH")
    first = await complete_invoice(store, account.id, await guarded(store, account, forged))
    assert await kinds(store, account, forged) == [CheckKind.LOOKALIKE]

    reviews = ReviewService(store.invoices, store.reviews, files, AuditTrail(store.audit))
    await reviews.confirm_check(account.id, first.id, CheckKind.LOOKALIKE, CLERK, is_confirmed=True)
    assert await kinds(store, account, forged) == []


async def test_imitated_name_with_the_copied_tax_number_is_found_again(store: Store, account: Account) -> None:
    await complete_invoice(store, account.id, read(IBAN, "Nordwind Handel GmbH", "DE136695976"))
    forged = read(OTHER, "Nordvvind Handel GmbH", "DE136695976")
    for _ in range(2):
        found = await guarded(store, account, forged)
        assert [(check.kind, check.severity) for check in found.checks] == [
            (CheckKind.BANK_ACCOUNT_CHANGED, CheckSeverity.ALERT)
        ]
        await complete_invoice(store, account.id, found.model_copy(update={"amount": Decimal(7)}))


async def test_imitated_name_is_found_again_when_it_copies_the_tax_number_later(store: Store, account: Account) -> None:
    await complete_invoice(store, account.id, read(IBAN, "Nordwind Handel GmbH", "DE136695976"))
    found = await guarded(store, account, read(OTHER, "Nordvvind Handel GmbH"))
    assert [check.kind for check in found.checks] == [CheckKind.LOOKALIKE]
    await complete_invoice(store, account.id, found)

    copied = read(OTHER, "Nordvvind Handel GmbH", "DE136695976")
    assert await kinds(store, account, copied) == [CheckKind.BANK_ACCOUNT_CHANGED]


async def test_small_firm_that_bills_under_a_large_suppliers_name(store: Store, account: Account) -> None:
    await complete_invoice(store, account.id, read(IBAN, "Nordwind Handel GmbH"))
    await complete_invoice(store, account.id, read(OTHER, "Bolt Ltd", "GB980780684"))

    tax, bank = (await guarded(store, account, read(OTHER, "Nordwind Handel", "GB980780684"))).checks
    assert (tax.kind, bank.kind) == (CheckKind.TAX_NUMBER_CHANGED, CheckKind.BANK_ACCOUNT_CHANGED)
    assert tax.text == "The tax number GB980780684 is that of another supplier, Bolt Ltd."
    (bank,) = (await guarded(store, account, read(OTHER, "Nordwind Handel"))).checks
    assert bank.text == "The bank account DE89…3000 is that of another supplier, Bolt Ltd."
    assert await kinds(store, account, read(OTHER, "Bolt", "GB980780684")) == []


async def test_name_that_was_misread_before_has_the_history_of_its_tax_number(store: Store, account: Account) -> None:
    number = {"invoice_number": "A-17"}
    whole = read(IBAN, "Nordwind Handel GmbH", "DE136695976")
    await complete_invoice(store, account.id, whole.model_copy(update=number | {"amount": Decimal(50)}))
    misread = read(IBAN, "Nordwlnd Handel GmbH", "DE136695976")
    await complete_invoice(store, account.id, misread)

    assert await kinds(store, account, misread.model_copy(update=number)) == [CheckKind.NUMBER_REUSED]


async def test_suppliers_of_one_platform_are_never_one(store: Store, account: Account) -> None:
    for number, name in enumerate(("Lena Brandt", "Marek Vondra", "Sofia Duarte"), 1):
        values = {"invoice_number": "1", "amount": Decimal(100 * number)}
        sold = read(IBAN, name, "DE136695976").model_copy(update=values)
        assert await kinds(store, account, sold) == []
        await complete_invoice(store, account.id, sold)

    again = read(IBAN, "Marek Vondra", "DE136695976")
    other_amount = again.model_copy(update={"invoice_number": "1", "amount": Decimal(9)})
    assert await kinds(store, account, again) == []
    (check,) = (await guarded(store, account, other_amount)).checks
    assert (check.kind, len(check.evidence)) == (CheckKind.NUMBER_REUSED, 1)


async def test_account_is_known_once_a_person_has_confirmed_it(store: Store, account: Account, files: Files) -> None:
    await complete_invoice(store, account.id, read(IBAN))
    reviews = ReviewService(store.invoices, store.reviews, files, AuditTrail(store.audit))
    moved = await complete_invoice(store, account.id, await guarded(store, account, read(OTHER)))
    await reviews.confirm(account.id, moved.id, 0, CLERK)
    assert await kinds(store, account, read(OTHER)) == [CheckKind.BANK_ACCOUNT_CHANGED]

    kind = CheckKind.BANK_ACCOUNT_CHANGED
    await reviews.confirm_check(account.id, moved.id, kind, CLERK, is_confirmed=True)
    assert await kinds(store, account, read(OTHER)) == []
    await newest_events(store, account.id)
    (event, *_) = await store.events.of_invoice(account.id, moved.id, 9)
    (check,) = json.loads(event.payload)["data"]["invoice"]["checks"]
    assert (check["kind"], check["confirmed_by"]) == (kind, CLERK.name)

    await reviews.confirm_check(account.id, moved.id, kind, CLERK, is_confirmed=False)
    assert await kinds(store, account, read(OTHER)) == [CheckKind.BANK_ACCOUNT_CHANGED]


async def mailed(store: Store, account: Account, address: MailAddress, sender: str) -> UUID:
    """An invoice that came by e-mail from this sender."""
    record = make_record(account.id)
    record.invoice.source = Source.EMAIL
    await queue_invoice(store, record)
    await store.queue.save_result(await claim_next(store), read(IBAN), NOON)
    parts = (MailPart("1", Outcome.INVOICE, invoice_id=record.invoice.id),)
    await add_mail(store, address, str(record.invoice.id), parts=parts, heading=Heading(sender=sender))
    return record.invoice.id


@pytest.mark.parametrize(
    ("domains", "found"),
    [
        (("akme.example", "Akme.example", "akme.example", "akrne.example"), [CheckKind.SENDER_CHANGED]),
        (("akme.example", "akme.example", "akme.example", "akme.example"), []),
        (("akme.example", "post.example", "akme.example", "akrne.example"), []),
        (("akme.example", "akme.example", "akrne.example"), []),
        (("akme.example", "akme.example", "buyer.example", "akme.example", "buyer.example"), []),
        (("akme.example", "akme.example", "buyer.example", "akme.example", "x.example"), [CheckKind.SENDER_CHANGED]),
    ],
)
async def test_sender_of_another_domain_than_always_before(
    store: Store, account: Account, domains: Sequence[str], found: list[CheckKind]
) -> None:
    address = await add_address(store, account.id)
    await add_member(store, account, "clerk@buyer.example", Role.REVIEWER, NOON)
    for domain in domains:
        last = await mailed(store, account, address, f"billing@{domain}")
    guard = SupplierGuard(store)

    (section,) = await guard.apply(account.id, last, [Section(1, 1, read(IBAN))])

    assert [check.kind for check in section.extraction.checks] == found


async def test_other_accounts_invoices_are_never_looked_at(store: Store, account: Account) -> None:
    await complete_invoice(store, account.id, read(IBAN))
    guard = SupplierGuard(store)

    (section,) = await guard.apply(new_id(), new_id(), [Section(1, 1, read(OTHER))])

    assert section.extraction.checks == []


async def test_the_documents_own_earlier_result_is_no_evidence(store: Store, account: Account) -> None:
    saved = await complete_invoice(store, account.id, read(IBAN))
    guard = SupplierGuard(store)

    (section,) = await guard.apply(account.id, saved.id, [Section(1, 1, read(OTHER))])

    assert section.extraction.checks == []


async def test_invoice_is_saved_without_checks_while_the_store_is_out_of_reach(
    store: Store, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def lost(*_: object) -> None:
        raise Unavailable

    monkeypatch.setattr(store.vendors, "id_of", lost)

    assert await kinds(store, account, read(OTHER)) == []
