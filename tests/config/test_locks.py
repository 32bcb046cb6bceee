"""What is installed is what was locked: every package has a version and the hashes of its files."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts.lock import LEFT_OUT, closure

ROOT = Path(__file__).parents[2]
LOCKS = sorted(path.name for path in ROOT.glob("requirements*.lock"))


def entries(lock: str) -> dict[str, tuple[str, list[str]]]:
    """Version and hashes, by name."""
    text = (ROOT / lock).read_text().replace("\\\n", " ")
    lines = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    return {name: (version, hashes) for (name, version), hashes in ((line[0].split("=="), line[1:]) for line in lines)}


def test_there_is_one_lock_for_each_extra_one_for_torch_and_one_for_ocr_on_gpus() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert {"requirements.lock", *(f"requirements-{kind}.lock" for kind in (*extras, "gpu", "torch"))} == set(LOCKS)


def test_each_extra_is_a_profile_of_the_setup() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    (line,) = re.findall(r"^ +([a-z| ]+)\) locks\+=", (ROOT / "scripts" / "setup.sh").read_text(), re.MULTILINE)
    assert set(line.split(" | ")) == set(extras)


def test_ocr_on_gpus_has_the_version_of_ocr_without() -> None:
    (other,) = entries("requirements-gpu.lock").values()
    assert other[0] == entries("requirements.lock")["onnxruntime"][0]


@pytest.mark.parametrize("lock", LOCKS)
def test_every_package_has_the_hashes_of_its_files(lock: str) -> None:
    found = entries(lock)
    assert found
    bare = [name for name, (_, hashes) in found.items() if not hashes]
    assert bare == []
    digest = re.compile(r"--hash=sha256:[0-9a-f]{64}")
    assert all(digest.fullmatch(text) for _, hashes in found.values() for text in hashes)


def test_no_lock_has_what_only_delays_the_start_of_every_process() -> None:
    assert [(lock, name) for lock in LOCKS for name in LEFT_OUT & entries(lock).keys()] == []


def test_what_the_project_names_is_locked_at_the_same_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = {
        "requirements.lock": project["dependencies"],
        **{f"requirements-{extra}.lock": names for extra, names in project["optional-dependencies"].items()},
    }
    always = entries("requirements.lock") | entries("requirements-torch.lock")
    for lock, names in wanted.items():
        locked = always | entries(lock)
        for requirement in map(Requirement, names):
            assert str(requirement.specifier) == f"=={locked[canonicalize_name(requirement.name)][0]}"


def test_packages_are_installed_by_hash_and_torch_for_cpus_is_the_one_exception() -> None:
    script = (ROOT / "scripts" / "setup.sh").read_text()
    installs = [line for line in script.splitlines() if re.search(r"pip_install --|pip install --quiet --", line)]
    assert [line.strip() for line in installs if "--require-hashes" not in line] == [
        'PIP_CONFIG_FILE=/dev/null pip_install --no-deps --index-url "$TORCH_INDEX" "torch==$version+cpu"',
        'elif .venv/bin/python -m pip install --quiet --no-index --no-deps "torch==$version+cpu" >"$log" 2>&1; then',
        "pip_install --no-deps --no-build-isolation -e .",
    ]


def test_nobody_is_asked_to_add_an_index_for_all_packages() -> None:
    assert "EXTRA_INDEX" not in (ROOT / "README.md").read_text()


@pytest.mark.parametrize(("wanted", "found"), [("no-such-package==1.0", "nothing"), ("pytest<1", r"\d+\.\d+\.\d+")])
def test_what_is_not_installed_as_wanted_is_named(wanted: str, found: str) -> None:
    with pytest.raises(SystemExit, match=rf"{wanted} is wanted, {found} installed: .*pip install '{wanted}'"):
        closure([wanted])
