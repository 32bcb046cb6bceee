"""A token is good as it was written, for as long as it was meant to be, wherever it was written."""

from datetime import timedelta

import pytest

from serve_app.domain.account import Account
from serve_app.domain.errors import AccessDenied, ExpiredFileLink, InvalidFileLink, ServiceError
from serve_app.services.approval.links import ApprovalLinkError, ApprovalLinks, ApprovalToken, LinkProblem
from serve_app.services.files.links import FileLinks
from serve_app.store.base import Files, Store
from tests.support import NOON, PDF_BYTES, Clock, FakeCutter, make_record, queue_invoice

KEY = "a secret of tests, long enough for the purpose"
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_="
DOWNLOADS = "https://example.com/v1/files"


@pytest.fixture
def replica(store: Store, files: Files, clock: Clock) -> FileLinks:
    """The replica that redeems links; its clock is the one that tests move."""
    return FileLinks(store.invoices, files, FakeCutter(), KEY, clock)


@pytest.fixture
async def token(store: Store, files: Files, account: Account) -> str:
    """A link to a document, made at noon."""
    record = make_record(account.id)
    await files.write(record.file_key, PDF_BYTES)
    await queue_invoice(store, record)
    links = FileLinks(store.invoices, files, FakeCutter(), KEY, Clock())
    return links.link(account.id, record.invoice, DOWNLOADS, original=False).url.removeprefix(f"{DOWNLOADS}/")


async def refusal(links: FileLinks, token: str) -> type[ServiceError]:
    with pytest.raises(AccessDenied) as caught:
        await links.redeem(token)
    return type(caught.value)


async def test_no_other_ending_is_as_good(replica: FileLinks, token: str) -> None:
    assert (await replica.redeem(token)).data == PDF_BYTES
    others = {token[:-1] + last for last in ALPHABET} | {token + more for more in ("=", "==", "A", "\n", "\u00e9")}
    for changed in others - {token}:
        assert await refusal(replica, changed) == InvalidFileLink


def test_no_other_ending_of_an_approval_link_is_as_good(account: Account) -> None:
    links = ApprovalLinks(KEY, Clock())
    text = links.write(ApprovalToken.new(account.id, account.id))
    for changed in {text[:-1] + last for last in ALPHABET} - {text} | {text + "="}:
        with pytest.raises(ApprovalLinkError) as caught:
            links.read(changed)
        assert caught.value.problem is LinkProblem.INVALID


@pytest.mark.parametrize("behind", [2, 300])
async def test_a_replica_whose_clock_is_behind_takes_a_fresh_link(
    replica: FileLinks, token: str, clock: Clock, behind: float
) -> None:
    clock.advance(-behind)
    assert (await replica.redeem(token)).data == PDF_BYTES


async def test_a_link_from_the_future_is_refused(replica: FileLinks, token: str, clock: Clock) -> None:
    clock.advance(-301)
    assert await refusal(replica, token) == InvalidFileLink


async def test_a_link_is_good_for_an_hour_whatever_clocks_say(replica: FileLinks, token: str, clock: Clock) -> None:
    clock.advance(3600)
    assert (await replica.redeem(token)).data == PDF_BYTES
    clock.advance(1)
    assert await refusal(replica, token) == ExpiredFileLink


def test_an_approval_link_bears_clocks_that_differ_and_lasts_two_weeks(account: Account, clock: Clock) -> None:
    token = ApprovalToken.new(account.id, account.id)
    text = ApprovalLinks(KEY, Clock()).write(token)
    links = ApprovalLinks(KEY, clock)
    clock.advance(-2)
    assert links.read(text) == token
    clock.now = NOON + timedelta(days=14)
    assert links.read(text) == token
    clock.advance(1)
    with pytest.raises(ApprovalLinkError) as caught:
        links.read(text)
    assert caught.value.problem is LinkProblem.EXPIRED
