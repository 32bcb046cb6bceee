"""Model swaps: no interruption, and a refused model leaves the old one in service."""

import asyncio
import threading
import time
from collections.abc import Sequence
from typing import Any

import pytest

from actors.model_host import MAX_WINDOW_TOKENS, ModelHost, batch_cost, page_tokens
from serve_app.domain.document import Box, Document, Page, Word
from serve_app.domain.reading import Reading


class FakeModel:
    """Reads nothing, but knows which model it is."""

    def __init__(self, revision: str, release: threading.Event | None = None) -> None:
        self.revision = revision
        self.needs_pictures = False
        self._release = release

    def read(self, documents: Sequence[Document]) -> list[Reading]:
        if self._release:
            assert self._release.wait(5)
        return [Reading(self.revision, (), ()) for _ in documents]


def load(user_config: dict[str, Any]) -> FakeModel:
    if user_config["revision"] == "bad":
        raise ValueError("self-test failed")
    return FakeModel(user_config["revision"], user_config.get("release"))


def document(*words_of_pages: int) -> Document:
    word = Word("x", Box(0, 0, 1, 1))
    return Document(tuple(Page(number + 1, 595, 842, (word,) * count) for number, count in enumerate(words_of_pages)))


async def revision_read(host: ModelHost) -> str:
    (reading,) = await host.read([document(1)])
    return reading.revision


async def test_reads_with_the_configured_model() -> None:
    host = ModelHost(load)
    await host.configure({"revision": "one"})
    assert await revision_read(host) == "one"


async def test_a_new_model_replaces_the_old_one() -> None:
    host = ModelHost(load)
    await host.configure({"revision": "one"})
    await host.configure({"revision": "two"})
    assert await revision_read(host) == "two"


async def test_a_batch_in_flight_ends_on_the_model_it_began_with() -> None:
    release = threading.Event()
    host = ModelHost(load)
    await host.configure({"revision": "one", "release": release})
    in_flight = asyncio.create_task(revision_read(host))
    await asyncio.sleep(0.05)
    await host.configure({"revision": "two"})
    release.set()
    assert await in_flight == "one"
    assert await revision_read(host) == "two"


async def test_a_refused_model_leaves_the_old_one_in_use() -> None:
    host = ModelHost(load)
    await host.configure({"revision": "one"})
    await host.configure({"revision": "bad"})
    assert await revision_read(host) == "one"


async def test_a_refusal_is_reported_until_a_model_is_taken() -> None:
    host = ModelHost(load)
    assert host.status is None
    await host.configure({"revision": "one"})
    await host.configure({"revision": "bad"})
    assert host.status is not None
    assert (host.status.revision, host.status.user_config) == ("one", {"revision": "one"})
    assert host.status.refusal is not None
    assert (host.status.refusal.reason, host.status.refusal.user_config) == ("self-test failed", {"revision": "bad"})
    assert host.status.refusal.at >= host.status.since
    await host.configure({"revision": "two"})
    assert host.status.revision == "two"
    assert host.status.refusal is None


async def test_of_two_changes_in_a_row_the_second_wins() -> None:
    release = threading.Event()

    def load_slowly(user_config: dict[str, Any]) -> FakeModel:
        assert user_config["revision"] != "slow" or release.wait(5)
        return load(user_config)

    host = ModelHost(load_slowly)
    slow = asyncio.create_task(host.configure({"revision": "slow"}))
    await asyncio.sleep(0.05)
    quick = asyncio.create_task(host.configure({"revision": "quick"}))
    await asyncio.sleep(0.05)
    release.set()
    await asyncio.gather(slow, quick)
    assert await revision_read(host) == "quick"


async def test_a_refused_first_model_is_an_error() -> None:
    with pytest.raises(ValueError, match="self-test failed"):
        await ModelHost(load).configure({"revision": "bad"})


async def test_a_host_that_may_be_empty_reports_its_first_refusal_and_takes_the_next_model() -> None:
    host = ModelHost(load, may_be_empty=True)
    await host.configure({"revision": "bad"})
    assert host.status is not None
    assert host.status.refusal is not None
    assert (host.status.revision, host.status.refusal.reason) == (None, "self-test failed")
    await host.configure({"revision": "one"})
    assert await revision_read(host) == "one"
    assert host.status.refusal is None


async def test_reading_without_a_model_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="no model"):
        await ModelHost(load).read([document(1)])


def test_a_batch_costs_the_tokens_of_all_its_pages() -> None:
    assert batch_cost([document(10), document(100, 20)], 10_000) == sum(map(page_tokens, (10, 100, 20)))


def test_a_page_of_several_windows_costs_their_overlap_too() -> None:
    assert page_tokens(100) < MAX_WINDOW_TOKENS
    assert page_tokens(1000) > 4000


def test_one_document_always_fits_a_batch_of_its_own() -> None:
    assert batch_cost([document(*[500] * 200)], 10_000) == 10_000
    assert batch_cost([document(*[500] * 200), document(1)], 10_000) > 10_000


def test_a_document_without_pages_costs_nothing() -> None:
    assert batch_cost([document()], 10_000) == 0


async def test_each_reading_has_its_share_of_the_time_of_its_batch() -> None:
    release = threading.Event()
    threading.Timer(0.2, release.set).start()
    host = ModelHost(load)
    await host.configure({"revision": "one", "release": release})
    short, long = await host.read([document(10), document(90)])
    assert 0.1 < short.seconds + long.seconds < 5
    assert long.seconds > 5 * short.seconds


@pytest.mark.parametrize("has_gpu", [True, False])
async def test_each_reading_has_its_share_of_the_processor_time_and_of_the_time_on_a_gpu(has_gpu: bool) -> None:
    class Busy(FakeModel):
        def read(self, documents: Sequence[Document]) -> list[Reading]:
            end = time.thread_time() + 0.05
            while time.thread_time() < end:
                pass
            return super().read(documents)

    host = ModelHost(lambda _: Busy("one"), has_gpu=has_gpu)
    await host.configure({})
    short, long = await host.read([document(10), document(90)])
    assert short.spent.cpu + long.spent.cpu >= 0.05
    assert long.spent.cpu > 5 * short.spent.cpu
    assert (short.spent.gpu, long.spent.gpu) == ((short.seconds, long.seconds) if has_gpu else (0, 0))


async def test_other_work_of_the_process_does_not_count_for_a_model_with_one_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Waiting(FakeModel):
        def read(self, documents: Sequence[Document]) -> list[Reading]:
            other = threading.Thread(target=sum, args=(range(3_000_000),))
            other.start()
            other.join()
            return super().read(documents)

    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    host = ModelHost(lambda _: Waiting("one"))
    await host.configure({})
    before = time.process_time()
    (reading,) = await host.read([document(10)])
    assert reading.spent.cpu < (time.process_time() - before) / 2
