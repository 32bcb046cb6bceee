"""The sandbox can be required, and a service running as root reads as an unprivileged user."""

import io
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from PIL import Image

from serve_app.documents.isolation.probe import missing_layers
from serve_app.documents.isolation.supervisor import Supervisor
from serve_app.documents.options import OcrOptions, ReadOptions, SandboxOptions
from tests.documents.isolation.test_escapes import has_landlock

SAMPLES = Path(__file__).parents[3] / "samples"
WORKER = "tests.documents.isolation.misbehaving"
REQUIRED = ReadOptions(sandbox=SandboxOptions(required=True))
# Reads or refuses to, on a machine that seems to have no Landlock.
WITHOUT_LANDLOCK = """
import logging, sys
from contextlib import closing
from serve_app.documents.isolation.supervisor import Supervisor
from serve_app.documents.options import ReadOptions, SandboxOptions
from tests.documents.isolation.escapes.no_landlock import take_landlock_away

logging.basicConfig(format="%(levelname)s %(message)s %(walls_missing)s")
take_landlock_away()
options = ReadOptions(sandbox=SandboxOptions(required=sys.argv[1] == "required"))
with closing(Supervisor(options, "tests.documents.isolation.misbehaving")) as supervisor:
    try:
        print(supervisor.read(b"say read").pages[0].words[0].text)
    except ValueError as error:
        print(error)
"""
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
on_landlock = pytest.mark.skipif(not has_landlock(), reason="this kernel has no Landlock")


@pytest.fixture(scope="module")
def supervisor() -> Iterator[Supervisor]:
    with closing(Supervisor(worker=WORKER)) as supervisor:
        yield supervisor


def without_landlock(sandbox: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WITHOUT_LANDLOCK, sandbox]
    return subprocess.run(command, capture_output=True, text=True, check=True)


def said(supervisor: Supervisor, behaviour: str) -> str:
    return supervisor.read(behaviour.encode()).pages[0].words[0].text


def test_nothing_is_read_without_what_is_required() -> None:
    done = without_landlock("required")
    assert done.stdout.startswith("SANDBOX=required, but documents would be read without landlock (")


def test_what_is_missing_is_reported_and_documents_are_read() -> None:
    done = without_landlock("best_effort")
    assert done.stdout == "read\n"
    assert "WARNING reader process started" in done.stderr
    assert "'landlock': 'Function not implemented'" in done.stderr


@on_landlock
def test_this_machine_has_all_that_is_required(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    with closing(Supervisor(REQUIRED, WORKER)) as supervisor:
        assert said(supervisor, "say read") == "read"
    assert missing_layers(REQUIRED) == {}
    assert not caplog.records


@on_landlock
@pytest.mark.parametrize("engine", ["rapidocr", "tesseract"])
def test_every_kind_of_document_is_read_in_it(engine: str) -> None:
    with closing(Supervisor(replace(REQUIRED, ocr=OcrOptions(engine, device="cpu")))) as supervisor:
        for name, data in documents():
            words = [word.text for page in supervisor.read(data).pages for word in page.words]
            assert len(words) > 40, name


def documents() -> Iterator[tuple[str, bytes]]:
    """One of each kind, and a PDF that is only a picture."""
    for name in ("invoice.pdf", "invoice.html", "photo.heic", "scan.jpg"):
        yield name, (SAMPLES / name).read_bytes()
    scanned = io.BytesIO()
    with Image.open(SAMPLES / "scan.jpg") as picture:
        picture.save(scanned, "PDF", resolution=150)
    yield "scan.pdf", scanned.getvalue()


def test_data_in_the_place_of_programs_is_reported(tmp_path: Path) -> None:
    programs = Path(__file__).parents[3] / "serve_app"
    options = ReadOptions(sandbox=SandboxOptions(hidden=(str(programs),)))
    with pytest.raises(ValueError, match="serve_app contains data or a key"):
        missing_layers(options)


@as_root
def test_a_service_of_root_reads_as_a_user_who_owns_nothing(supervisor: Supervisor) -> None:
    real, *others = said(supervisor, "user").split("|")
    assert int(real) >= 61184
    assert others == [real] * 5 + ["[]"]


@as_root
def test_two_readers_of_root_are_two_users(supervisor: Supervisor) -> None:
    with closing(Supervisor(worker=WORKER)) as other:
        assert said(other, "user") != said(supervisor, "user")


@as_root
def test_a_reader_of_root_cannot_start_processes_without_end(supervisor: Supervisor) -> None:
    assert said(supervisor, "limit_of_processes") == "1024"


@as_root
def test_it_dies_with_its_parent_although_it_changed_its_user(supervisor: Supervisor) -> None:
    """The kernel forgets that wish when a process changes its user."""
    program = f"""
import os, signal
from serve_app.documents.isolation.supervisor import Supervisor
supervisor = Supervisor(worker={WORKER!r})
supervisor.start()
print(supervisor.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    child = int(done.stdout)
    gone, _ = psutil.wait_procs([psutil.Process(child)] if psutil.pid_exists(child) else [], timeout=10)
    assert gone or not psutil.pid_exists(child)


@as_root
@on_landlock
def test_what_only_root_may_enter_is_read_if_reading_needs_it_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tessdata").mkdir()
    tmp_path.chmod(0o700)
    for name in ("key", "tessdata/eng.traineddata"):
        (tmp_path / name).write_text("of root")
    monkeypatch.setenv("TESSDATA_PREFIX", str(tmp_path / "tessdata"))
    with closing(Supervisor(REQUIRED, WORKER)) as supervisor:
        assert int(said(supervisor, "user").split("|")[0]) >= 61184
        assert said(supervisor, f"read {tmp_path}/tessdata/eng.traineddata") == "done"
        assert said(supervisor, f"read {tmp_path}/key") == "PermissionError"
