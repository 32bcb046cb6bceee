"""`create_many`: each document once, whatever happens on the way."""

import json
from contextlib import aclosing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from invoices_client import AsyncClient, QuotaExceededError, UnconfirmedError
from invoices_client.journal import Journal
from tests.clients.flaky import FlakyTransport
from tests.support import PDF_BYTES


def documents(folder: Path, count: int) -> list[Path]:
    paths = [folder / f"{number}.pdf" for number in range(count)]
    for path in paths:
        path.write_bytes(PDF_BYTES + path.name.encode())
    return paths


async def names_of(client: AsyncClient) -> list[str]:
    return sorted([each.file.name or "" async for each in client.invoices.list(limit=100)])


async def test_each_document_once_through_faults_and_kills(
    transport: httpx.AsyncBaseTransport, client: AsyncClient, key: str, tmp_path: Path
) -> None:
    paths, journal = documents(tmp_path, 200), tmp_path / "journal"
    flaky = FlakyTransport(transport, share=0.3, seed=7)
    for stop_after in (40, 70, None):
        async with httpx.AsyncClient(transport=flaky) as http:
            sender = AsyncClient(api_key=key, url="http://service", http_client=http, backoff=0.001)
            # A run that is stopped loses the answers to what is under way.
            async with aclosing(sender.invoices.create_many(paths, journal=journal)) as results:
                ids = {}
                async for result in results:
                    assert result.error is None
                    assert result.invoice is not None
                    ids[result.path] = result.invoice.id
                    if len(ids) == stop_after:
                        break
    assert ids.keys() == set(paths)
    assert len(set(ids.values())) == 200
    assert await names_of(client) == sorted(path.name for path in paths)
    assert min(flaky.faults.get(fault, 0) for fault in ("429", "503", "connect", "lost")) > 5


async def test_a_finished_run_sends_nothing_again(client: AsyncClient, http: httpx.AsyncClient, tmp_path: Path) -> None:
    paths, journal = documents(tmp_path, 3), tmp_path / "journal"
    first = {each.path: each.invoice async for each in client.invoices.create_many(paths, journal=journal)}
    asked: list[httpx.Request] = []

    async def note(request: httpx.Request) -> None:
        asked.append(request)

    http.event_hooks = {"request": [note]}
    again = {each.path: each.invoice async for each in client.invoices.create_many(paths, journal=journal)}
    assert asked == []
    assert {path: each and each.id for path, each in again.items()} == {
        path: each and each.id for path, each in first.items()
    }
    paths[0].write_bytes(PDF_BYTES + b"corrected")
    (result,) = [each async for each in client.invoices.create_many(paths[:1], journal=journal)]
    assert result.invoice is not None
    assert result.invoice.id not in {each.id for each in first.values() if each}


async def test_a_document_can_be_sent_without_waiting(client: AsyncClient, tmp_path: Path) -> None:
    paths, journal = documents(tmp_path, 2), tmp_path / "journal"
    sent = [each.invoice async for each in client.invoices.create_many(paths, journal=journal, wait=False)]
    finished = [each.invoice async for each in client.invoices.create_many(paths, journal=journal)]
    assert {each.id for each in sent if each} == {each.id for each in finished if each}
    assert {each.status for each in finished if each} == {"complete"}


async def test_an_unanswered_call_of_yesterday_is_not_repeated(client: AsyncClient, tmp_path: Path) -> None:
    (path,), journal = documents(tmp_path, 1), tmp_path / "journal"
    name, entry = Journal(None).find(path, path.read_bytes())
    yesterday = (datetime.now(UTC) - timedelta(hours=24)).isoformat()
    journal.write_text(json.dumps({"document": name, "key": entry.key, "sent_at": yesterday}) + "\n")
    (result,) = [each async for each in client.invoices.create_many([path], journal=journal)]
    assert isinstance(result.error, UnconfirmedError)
    assert await names_of(client) == []


def answers(*codes: str) -> httpx.MockTransport:
    """Refuses with each of the codes, then goes silent."""
    left = list(codes)

    def answer(request: httpx.Request) -> httpx.Response:
        if left and left[0] == "lost":
            left.pop(0)
            raise httpx.ReadError("reset")
        code = left.pop(0) if left else "monthly_quota_reached"
        return httpx.Response(429, json={"error": {"type": "quota_exceeded", "code": code, "message": "no"}})

    return httpx.MockTransport(answer)


@pytest.mark.parametrize(("codes", "is_kept"), [((), False), (("lost",), True)])
async def test_a_refusal_frees_the_document_unless_an_answer_was_lost(
    codes: tuple[str, ...], is_kept: bool, tmp_path: Path
) -> None:
    """After a lost answer, the invoice may exist: only the same key is safe."""
    (path,), journal = documents(tmp_path, 1), tmp_path / "journal"
    async with httpx.AsyncClient(transport=answers(*codes)) as http:
        client = AsyncClient(api_key="inv_live_x", http_client=http, backoff=0)
        (result,) = [each async for each in client.invoices.create_many([path], journal=journal)]
    assert isinstance(result.error, QuotaExceededError)
    assert result.error.is_uncertain is is_kept
    opened = Journal(journal)
    _, entry = opened.find(path, path.read_bytes())
    opened.close()
    assert (entry.sent_at is not None) is is_kept


class TestJournal:
    def test_a_torn_last_line_is_dropped(self, tmp_path: Path) -> None:
        journal = tmp_path / "journal"
        journal.write_bytes(b'{"document": "a", "key": "k", "sent_at": "2026-05-17T12:00:00+00:00"}\n{"docu')
        Journal(journal).close()
        assert journal.read_bytes().endswith(b"}\n")

    def test_two_runs_do_not_share_one(self, tmp_path: Path) -> None:
        first = Journal(tmp_path / "journal")
        with pytest.raises(BlockingIOError):
            Journal(tmp_path / "journal")
        first.close()
        Journal(tmp_path / "journal").close()
