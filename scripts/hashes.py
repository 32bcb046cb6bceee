"""The hashes of a package's files, as the package index that pip is configured with names them."""

import importlib
import json
import subprocess
import sys
import urllib.request
from functools import cache
from typing import Any

from packaging.tags import Tag, compatible_tags, cpython_tags
from packaging.utils import InvalidSdistFilename, InvalidWheelFilename, parse_sdist_filename, parse_wheel_filename
from packaging.version import Version

PYTHON = (3, 11)
MACHINES = ("x86_64", "aarch64")
_JSON = "application/vnd.pypi.simple.v1+json"
_TIMEOUT_S = 60.0


def hashes_of(name: str, version: str) -> list[str]:
    """`sha256:...` of every file that pip may install: the wheels for Linux on each of MACHINES, and the source where
    one of them has no wheel. SystemExit if there is none."""
    files = [file for file in _files(name) if _version_of(file["filename"]) == Version(version)]
    fitting = {machine: [file for file in files if _fits(file["filename"], machine)] for machine in MACHINES}
    chosen = [file for machine in MACHINES for file in fitting[machine]]
    if not all(fitting.values()):
        chosen += [file for file in files if not file["filename"].endswith(".whl")]
    if not chosen:
        raise SystemExit(f"the index has no file of {name} {version}")
    return sorted({f"sha256:{file['hashes']['sha256']}" for file in chosen})


def _files(name: str) -> list[dict[str, Any]]:
    request = urllib.request.Request(f"{_index()}/{name}/", headers={"Accept": _JSON})  # noqa: S310 - pip's index
    with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as answer:  # noqa: S310
        return list(json.load(answer)["files"])


@cache
def _index() -> str:
    """The index that pip is configured with, or pip's default."""
    command = [sys.executable, "-m", "pip", "config", "get", "global.index-url"]
    configured = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    # pip has no public name for its default.
    default: str = importlib.import_module("pip._internal.models.index").PyPI.simple_url
    return (configured or default).rstrip("/")


def _version_of(filename: str) -> Version | None:
    try:
        if filename.endswith(".whl"):
            return parse_wheel_filename(filename)[1]
        return parse_sdist_filename(filename)[1]
    except (InvalidWheelFilename, InvalidSdistFilename):
        # Other kinds of files of long ago.
        return None


def _fits(filename: str, machine: str) -> bool:
    return filename.endswith(".whl") and not parse_wheel_filename(filename)[3].isdisjoint(_tags(machine))


@cache
def _tags(machine: str) -> frozenset[Tag]:
    """What pip takes on Linux with glibc."""
    old = [f"manylinux{kind}_{machine}" for kind in ("1", "2010", "2014")]
    platforms = [*(f"manylinux_2_{minor}_{machine}" for minor in range(5, 50)), *old, f"linux_{machine}"]
    return frozenset([*cpython_tags(PYTHON, platforms=platforms), *compatible_tags(PYTHON, "cp311", platforms)])
