"""`make release`: one commit gives one wheel and one sdist, the bill of materials names what is locked, and what is
installed from the wheel works without the checkout."""

import json
import os
import re
import shutil
import subprocess
import time
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.release.__main__ import write_sums
from scripts.release.build import build, build_wheel, export_commit
from scripts.release.sbom import write_sbom
from scripts.release.trial import install_wheel, run_installed

ROOT = Path(__file__).parents[2]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
EPOCH = 1_700_000_000
PROJECT = """
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"
[project]
name = "small"
version = "1"
[tool.setuptools]
packages = ["small"]
"""


def project(folder: Path) -> Path:
    (folder / "small").mkdir(parents=True)
    (folder / "pyproject.toml").write_text(PROJECT)
    (folder / "small" / "__init__.py").write_text("X = 1\n")
    return folder


def test_the_same_source_gives_the_same_bytes(tmp_path: Path) -> None:
    """Whenever it is built, in whatever folder, and whatever the umask is."""
    first = build(project(tmp_path / "here"), tmp_path / "first", EPOCH)
    again = project(tmp_path / "elsewhere")
    os.utime(again / "small" / "__init__.py", (1, time.time() + 5))
    mask = os.umask(0o077)
    try:
        second = build(again, tmp_path / "second", EPOCH)
    finally:
        os.umask(mask)
    assert [file.name for file in first] == [file.name for file in second]
    assert [file.read_bytes() for file in first] == [file.read_bytes() for file in second]


def test_sums_are_those_that_sha256sum_checks(tmp_path: Path) -> None:
    (tmp_path / "a.whl").write_bytes(b"a")
    (tmp_path / "b.json").write_bytes(b"b")
    write_sums(tmp_path)
    subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=tmp_path, check=True, capture_output=True)
    assert len((tmp_path / "SHA256SUMS").read_text().splitlines()) == 2


def test_the_bill_names_every_locked_package_with_its_hashes(tmp_path: Path) -> None:
    """And the licence of each that is installed here: all of them allow what the service does with them."""
    write_sbom(ROOT, tmp_path / "sbom.json", {**os.environ, "SOURCE_DATE_EPOCH": str(EPOCH)})
    bill = json.loads((tmp_path / "sbom.json").read_text())
    locks = (ROOT / name for name in ("requirements.lock", "requirements-torch.lock"))
    locked = {line for lock in locks for line in re.findall(r"^(\S+==\S+) ", lock.read_text(), re.MULTILINE)}
    assert {f"{each['name']}=={each['version']}" for each in bill["components"]} == locked
    assert all(each["externalReferences"][0]["hashes"] for each in bill["components"])
    assert (bill["specVersion"], bill["metadata"]["component"]["version"]) == ("1.6", VERSION)
    (ray,) = [each for each in bill["components"] if each["name"] == "ray"]
    assert "Apache" in json.dumps(ray["licenses"])


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release")
    export_commit(ROOT, folder / "source")
    wheel = build_wheel(folder / "source", folder / "dist", EPOCH)
    shutil.rmtree(folder / "source")
    return wheel


@pytest.fixture(scope="module")
def programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("environment")
    yield install_wheel(wheel, folder)
    shutil.rmtree(folder)


@pytest.mark.slow
def test_the_wheel_holds_the_service_its_models_and_types_and_nothing_of_training(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {"serve_app/py.typed", "actors/py.typed", "models/py.typed", "models/weights/calibration.json"} <= {*names}
    assert not [name for name in names if name.startswith(("models/training/", "models/evaluation/", "tests/"))]


@pytest.mark.slow
def test_what_is_installed_from_the_wheel_works(programs: Path, tmp_path: Path) -> None:
    """With the Serve configuration, the weights and the samples that came with it."""
    assert run_installed(programs, tmp_path, "--version").stdout == f"invoices {VERSION}\n"
    doctor = run_installed(programs, tmp_path, "doctor")
    assert doctor.returncode == 0, doctor.stdout + doctor.stderr
    assert "models" in doctor.stdout
    shutil.copy(ROOT / "samples" / "invoice.pdf", tmp_path)
    read = run_installed(programs, tmp_path, "extract", "invoice.pdf")
    assert json.loads(read.stdout)["invoice_number"] == "46380", read.stderr


@pytest.mark.slow
@pytest.mark.parametrize("command", [("evaluate", "."), ("models", "check", "a", "--as", "extractor")])
def test_what_needs_the_checkout_says_so(programs: Path, tmp_path: Path, command: tuple[str, ...]) -> None:
    answer = run_installed(programs, tmp_path, *command)
    assert answer.returncode == 1
    assert answer.stderr.count("\n") == 1
    assert "make setup-dev" in answer.stderr
