"""One address on each machine answers for all its processes, the living and the dead."""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from serve_app.telemetry.prometheus import scrape
from serve_app.telemetry.prometheus.meter import folder_for
from serve_app.telemetry.prometheus.scrape import answer_scrapes, text_of
from tests.support.ports import free_port
from tests.telemetry.processes import Noting

Start = Callable[[str], Noting]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts processes that note something."""
    started: list[Noting] = []

    def start(code: str) -> Noting:
        started.append(Noting(tmp_path, code))
        return started[-1]

    yield start
    for process in started:
        process.kill()


def lines_of(folder: Path, name: str) -> list[str]:
    return [line for line in text_of(folder).splitlines() if line.startswith(name)]


def test_counters_of_processes_that_have_ended_stay(start: Start, tmp_path: Path) -> None:
    count = "meter.count(series.LOST_CLAIMS, 2)"
    first, second = start(count), start(count)
    assert lines_of(tmp_path, "invoices_lost_claims_total") == ["invoices_lost_claims_total 4.0"]
    first.kill()
    second.kill()
    assert lines_of(tmp_path, "invoices_lost_claims_total") == ["invoices_lost_claims_total 4.0"]


def test_the_next_process_continues_the_files_of_one_that_ended(start: Start, tmp_path: Path) -> None:
    for _ in range(3):
        start("meter.count(series.LOST_CLAIMS)").kill()
    assert lines_of(tmp_path, "invoices_lost_claims_total") == ["invoices_lost_claims_total 3.0"]
    assert [file.name for file in tmp_path.glob("*.db")] == ["counter_0.db"]


def test_gauges_end_with_their_process(start: Start, tmp_path: Path) -> None:
    one = start("meter.set_to(series.HELD_CALLS, 3)")
    start("meter.set_to(series.HELD_CALLS, 4)")
    assert lines_of(tmp_path, "invoices_held_calls") == ["invoices_held_calls 7.0"]
    one.kill()
    assert lines_of(tmp_path, "invoices_held_calls") == ["invoices_held_calls 4.0"]
    start("")
    assert lines_of(tmp_path, "invoices_held_calls") == ["invoices_held_calls 4.0"]


def test_a_gauge_that_is_never_set_again_stays(start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start("meter.set_to(series.MODEL_REFUSED, 1, deployment='Verifier')")
    began = time.time()
    for seconds in range(0, 601, 15):
        # As if the files had been written that long ago.
        monkeypatch.setattr(time, "time", lambda later=seconds: began + later)
        for file in tmp_path.glob("*.db"):
            os.utime(file, (began - seconds, began - seconds))
        found = lines_of(tmp_path, "invoices_model_refused")
        assert found == ['invoices_model_refused{deployment="Verifier"} 1.0'], f"after {seconds} s"


def test_what_was_set_last_counts(start: Start, tmp_path: Path) -> None:
    start("meter.set_to(series.WEBHOOKS_DUE, 9)")
    start("meter.set_to(series.WEBHOOKS_DUE, 2)")
    assert lines_of(tmp_path, "invoices_webhooks_due") == ["invoices_webhooks_due 2.0"]


def test_another_process_answers_when_the_one_that_did_has_ended(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scrape, "RETRY_SECONDS", 0.02)
    port = free_port()
    first = start(f"answer_scrapes(folder, '127.0.0.1', {port}); meter.count(series.LOST_CLAIMS)")
    assert b"invoices_lost_claims_total 1.0" in _answer(port)
    answer_scrapes(tmp_path, "127.0.0.1", port)
    first.kill()
    assert b"invoices_lost_claims_total 1.0" in _answer(port)


def test_files_of_other_series_are_not_mixed_in(tmp_path: Path) -> None:
    assert folder_for(tmp_path) == folder_for(tmp_path)
    assert folder_for(tmp_path).parent == tmp_path


def _answer(port: int) -> bytes:
    end = time.monotonic() + 5
    while True:
        try:
            with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
                return bytes(answer.read())
        except OSError:
            assert time.monotonic() < end
            time.sleep(0.02)


def blocks_missing(folder: Path) -> dict[str, int]:
    """How many bytes of each file of numbers have no block on the disk: writing there may end the process."""
    status = {file.name: file.stat() for file in folder.glob("*.db")}
    return {name: found.st_size - 512 * found.st_blocks for name, found in status.items() if found.st_size}


def test_every_byte_of_a_file_of_numbers_has_its_place_on_the_disk(start: Start, tmp_path: Path) -> None:
    """Also once it has grown, and of an earlier version whose files had holes."""
    with (tmp_path / "counter_0.db").open("wb") as earlier:
        earlier.truncate(1 << 16)
    many = "for n in range(2000): meter.count(series.RETRIES, needs='n' * 100 + str(n))"
    start(f"meter.count(series.LOST_CLAIMS, 2)\n{many}")
    missing = blocks_missing(tmp_path)
    assert missing
    assert max(missing.values()) <= 0
    assert lines_of(tmp_path, "invoices_lost_claims_total") == ["invoices_lost_claims_total 2.0"]


def test_a_full_disk_leaves_numbers_out_and_ends_nothing(start: Start, tmp_path: Path) -> None:
    """Files of this process cannot grow any more."""
    full = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))"
    many = "for n in range(2000): meter.count(series.RETRIES, needs='n' * 100 + str(n))"
    start(f"{full}; meter.count(series.LOST_CLAIMS, 2)\n{many}\nmeter.count(series.LOST_CLAIMS, 2)")
    assert lines_of(tmp_path, "invoices_lost_claims_total") == ["invoices_lost_claims_total 4.0"]
