"""A document may do to its reader what it likes: it alone fails, and its neighbours are read."""

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from serve_app.documents.isolation.messages import LossCause
from serve_app.documents.isolation.process import Death
from serve_app.documents.isolation.reader import IsolatedReader
from serve_app.documents.isolation.supervisor import ReaderUnavailable, Supervisor
from serve_app.documents.limits import MIB, Limits
from serve_app.documents.options import OcrOptions, ReadOptions
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode
from tests.support.meters import installed_meter
from tests.support.pdfs import write_invoice_pdf

WORKER = "tests.documents.isolation.misbehaving"
LIMITS = Limits(
    page_seconds=2,
    max_seconds=20,
    max_memory_bytes=512 * MIB,
    max_temporary_bytes=MIB,
    max_answer_bytes=MIB,
)


@pytest.fixture(scope="module")
def shared() -> Iterator[IsolatedReader]:
    """One for all tests, as one serves many documents: what a test does to it must not trouble the next."""
    reader = IsolatedReader(ReadOptions(LIMITS), WORKER)
    yield reader
    reader.close()


@pytest.fixture
def reader(shared: IsolatedReader) -> IsolatedReader:
    shared.losses.clear()
    return shared


async def said(reader: IsolatedReader, behaviour: str) -> str:
    document = await reader.read(behaviour.encode())
    return document.pages[0].words[0].text


async def failure(reader: IsolatedReader, behaviour: str) -> DocumentError:
    with pytest.raises(DocumentError) as caught:
        await reader.read(behaviour.encode())
    assert caught.value.code is FailureCode.DOCUMENT_UNREADABLE
    return caught.value


@pytest.mark.parametrize(
    ("behaviour", "cause", "message"),
    [
        ("hog_time", LossCause.TIME, "Reading the document took too long."),
        ("hog_memory", LossCause.MEMORY, "Reading the document took too much memory."),
        ("crash", LossCause.CRASH, "Reading the document crashed the reader."),
        ("leave", LossCause.CRASH, "Reading the document crashed the reader."),
        ("raise_an_error", LossCause.CRASH, "Reading the document crashed the reader."),
        ("endless", LossCause.NONSENSE, "Reading the document crashed the reader."),
        ("impossible", LossCause.NONSENSE, "Reading the document crashed the reader."),
        ("other", LossCause.NONSENSE, "Reading the document crashed the reader."),
    ],
)
async def test_a_document_that_costs_two_processes_fails_alone(
    reader: IsolatedReader, behaviour: str, cause: LossCause, message: str
) -> None:
    with installed_meter() as meter:
        before, failed, after = await asyncio.gather(
            said(reader, "say before"), failure(reader, behaviour), said(reader, "say after")
        )
    assert (before, failed.message, after) == ("before", message, "after")
    assert reader.losses == {cause: 2}
    assert meter.counts["invoices_lost_readers_total", str(cause)] == 2


async def test_the_log_says_how_a_process_ended(reader: IsolatedReader, caplog: pytest.LogCaptureFixture) -> None:
    await failure(reader, "crash")
    details = {vars(record).get("detail") for record in caplog.records if "lost" in record.message}
    assert details == {f"ended at work, exit status {-signal.SIGSEGV}"}


async def test_pages_that_are_done_buy_time_for_the_next(reader: IsolatedReader) -> None:
    assert await said(reader, "three_pages") == "done"
    assert not reader.losses


async def test_progress_does_not_buy_time_without_end() -> None:
    reader = IsolatedReader(ReadOptions(replace(LIMITS, max_seconds=1)), WORKER)
    await reader.start()
    failed = await failure(reader, "work_for_long")
    await asyncio.to_thread(reader.close)
    assert failed.message == "Reading the document took too long."
    assert reader.losses == {LossCause.TIME: 1}


async def test_what_a_document_is_refused_for_crosses_over(reader: IsolatedReader) -> None:
    with pytest.raises(DocumentError) as caught:
        await reader.read(b"refuse")
    assert (caught.value.code, caught.value.message) == (FailureCode.NO_TEXT_FOUND, "Nothing there.")
    assert not reader.losses


async def test_output_of_libraries_does_not_mix_with_answers(reader: IsolatedReader) -> None:
    assert await said(reader, "chatter") == "said"


async def test_a_cancelled_call_stops_its_work_and_leaves_no_answer_behind(reader: IsolatedReader) -> None:
    await reader.start()
    call = asyncio.create_task(said(reader, "hog_time"))
    await asyncio.sleep(0.1)
    call.cancel()
    assert await said(reader, "say next") == "next"
    assert call.cancelled()
    assert not reader.losses


async def test_a_call_cancelled_in_line_disturbs_nobody(reader: IsolatedReader) -> None:
    pid = await said(reader, "process")
    first = asyncio.create_task(said(reader, "wait 0.3"))
    second = asyncio.create_task(said(reader, "say second"))
    await asyncio.sleep(0.1)
    second.cancel()
    assert await first == "waited"
    assert await said(reader, "process") == pid


async def test_calls_under_way_when_it_is_closed_end_at_once() -> None:
    reader = IsolatedReader(ReadOptions(LIMITS), WORKER)
    await reader.start()
    calls = [asyncio.create_task(said(reader, "hog_time")) for _ in range(2)]
    await asyncio.sleep(0.1)
    await asyncio.to_thread(reader.close)
    outcomes = await asyncio.gather(*calls, said(reader, "say late"), return_exceptions=True)
    assert all(isinstance(outcome, ReaderUnavailable) for outcome in outcomes)


async def test_a_process_killed_from_outside_costs_no_document(reader: IsolatedReader) -> None:
    await reader.start()
    assert reader.pid is not None
    psutil.Process(reader.pid).kill()
    assert await said(reader, "say still-here") == "still-here"


async def test_programs_that_it_started_die_with_it(reader: IsolatedReader) -> None:
    pid = int(await said(reader, "start_program_and_report"))
    program = psutil.Process(pid)
    await failure(reader, "crash")
    assert not program.is_running() or program.status() == psutil.STATUS_ZOMBIE


async def test_a_program_that_takes_too_long_is_stopped_and_its_reader_goes_on(reader: IsolatedReader) -> None:
    assert await said(reader, "stop_program") == f"ended:{-signal.SIGUSR1}"
    assert await said(reader, "say next") == "next"
    assert not reader.losses


async def test_it_knows_nothing_of_its_parents_environment(
    reader: IsolatedReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", "mongodb://user:password@host")
    names = (await said(reader, "environment")).split("|")
    assert set(names) <= {
        "PATH", "HOME", "TMPDIR", "LANG", "LC_CTYPE", "TZ", "LD_LIBRARY_PATH", "TESSDATA_PREFIX", "OMP_NUM_THREADS",
        "OMP_THREAD_LIMIT", "MALLOC_ARENA_MAX", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED",
        "CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES", "NVIDIA_DRIVER_CAPABILITIES",
        "ONEDNN_PRIMITIVE_CACHE_CAPACITY",
    }  # fmt: skip


async def test_what_a_document_writes_is_gone_before_the_next(reader: IsolatedReader) -> None:
    assert await said(reader, "write_here") == "done"
    assert await said(reader, "list_here") == "entries:"


def test_its_folder_is_gone_when_it_is_closed() -> None:
    reader = IsolatedReader(ReadOptions(LIMITS), WORKER)
    folder = Path(asyncio.run(said(reader, "folder")))
    assert folder.is_dir()
    reader.close()
    assert not folder.exists()


_USES_A_FOLDER = """
import time
from serve_app.documents.isolation.folders import make_folder
folder = make_folder()
print(folder.name, flush=True)
time.sleep(60)
"""


def test_the_folder_of_a_killed_program_is_gone_at_the_next_start_and_none_in_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    command = [sys.executable, "-c", _USES_A_FOLDER]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as program:
        assert program.stdout is not None
        folder = Path(program.stdout.readline().strip())
        IsolatedReader(worker=WORKER).close()
        is_kept_in_use = folder.is_dir()
        program.kill()
    is_left = folder.is_dir()
    IsolatedReader(worker=WORKER).close()
    assert (is_kept_in_use, is_left, folder.exists()) == (True, True, False)


@pytest.mark.parametrize(
    ("status", "peak_bytes", "cause"),
    [
        (-signal.SIGABRT, 300 * MIB, LossCause.MEMORY),
        (-signal.SIGABRT, 30 * MIB, LossCause.CRASH),
        (-signal.SIGKILL, 30 * MIB, LossCause.MEMORY),
        (-signal.SIGXCPU, 30 * MIB, LossCause.TIME),
        (1, 300 * MIB, LossCause.CRASH),
    ],
)
def test_the_way_a_process_died_shows_what_it_lacked(status: int, peak_bytes: int, cause: LossCause) -> None:
    assert Death(status, peak_bytes).cause(512 * MIB) is cause


async def test_a_file_cannot_grow_without_end(reader: IsolatedReader) -> None:
    assert await said(reader, "write_big_file") == "OSError"


@pytest.mark.parametrize(
    "behaviour", ["open_socket", "open_local_socket", "leave_group", "write_outside", "read_secrets"]
)
async def test_it_reaches_nothing_outside(reader: IsolatedReader, behaviour: str) -> None:
    assert await said(reader, behaviour) == "PermissionError"


async def test_options_that_cannot_be_met_are_reported_at_the_start() -> None:
    reader = IsolatedReader(ReadOptions(ocr=OcrOptions(engine="crystal-ball")), WORKER)
    with pytest.raises(ValueError, match="crystal-ball"):
        await reader.start()
    await asyncio.to_thread(reader.close)


def test_it_dies_with_its_parent(is_gone: Callable[[int], bool]) -> None:
    program = f"""
import asyncio, os, signal
from serve_app.documents.isolation.process import Death
from serve_app.documents.isolation.reader import IsolatedReader
async def main():
    reader = IsolatedReader(worker={WORKER!r})
    await reader.start()
    print(reader.pid, flush=True)
    asyncio.get_running_loop().call_later(0.2, os.kill, os.getpid(), signal.SIGKILL)
    await reader.read(b"hog_time")
asyncio.run(main())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == -9, done.stderr
    assert is_gone(int(done.stdout))


def test_a_document_is_read_for_real(tmp_path: Path) -> None:
    data = write_invoice_pdf(tmp_path / "a.pdf", pages=2).read_bytes()
    with closing(Supervisor()) as supervisor:
        document = supervisor.read(data)
    assert [page.words[0].text for page in document.pages] == ["Northwind", "Northwind"]


async def test_some_pages_are_read_and_cut(tmp_path: Path) -> None:
    data = write_invoice_pdf(tmp_path / "a.pdf", pages=3).read_bytes()
    reader = IsolatedReader()
    assert len((await reader.read(data, (2, 3))).pages) == 2
    part = await reader.cut(data, 2, 2)
    assert len((await reader.read(part)).pages) == 1
    with pytest.raises(DocumentError, match="no pages 3 to 4"):
        await reader.cut(data, 3, 4)
    await asyncio.to_thread(reader.close)
    assert not reader.losses


def test_between_documents_an_old_process_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("serve_app.documents.isolation.supervisor.RENEW_AFTER", 2)
    with closing(Supervisor(worker=WORKER)) as supervisor:
        used = [supervisor.read_next(b"folder") and supervisor.pid for _ in range(3)]
        assert supervisor.losses.total() == 0
    assert used[0] == used[1] != used[2]
