"""Build the packages in clients/, and try them in new environments: `python -m scripts.clients.trial [OUT]`."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from scripts.clients.formatting import ROOT
from scripts.clients.typescript_trial import try_typescript
from scripts.release.build import build, commit_time

_PYTHON = ROOT / "clients" / "python"
_VERSIONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
# Pyright with its own Node: it reads the package as its users' editors do.
_CHECKER = ("basedpyright==1.40.2", "cryptography")
_QUIETLY = ("-qq", "--disable-pip-version-check")


def main() -> None:
    out = Path(sys.argv[1] if len(sys.argv) > 1 else "build/clients")
    shutil.rmtree(out, ignore_errors=True)
    with TemporaryDirectory() as folder:
        source = Path(folder) / "source"
        shutil.copytree(_PYTHON, source, ignore=shutil.ignore_patterns("*.egg-info", "build", "__pycache__"))
        wheel, sdist = build(source, out, commit_time(ROOT))
        print(f"{wheel}\n{sdist}")
        for python in filter(_works, (f"python{version}" for version in _VERSIONS)):
            programs = _install(python, wheel, Path(folder) / python)
            _run(programs / "python", "-m", "unittest", "discover", "--quiet", str(_PYTHON / "tests"))
            print(f"{python}: the installed package passes its tests")
        _check_types(programs)
    try_typescript(out)


def _works(python: str) -> bool:
    """Also not if it is a shim for a version that is not there."""
    if shutil.which(python) is None:
        return False
    return subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode == 0


def _install(python: str, package: Path, folder: Path) -> Path:
    """A new environment with the package; returns the folder of its programs."""
    _run(python, "-m", "venv", str(folder))
    _run(folder / "bin" / "python", "-m", "pip", "install", *_QUIETLY, str(package))
    return folder / "bin"


def _check_types(programs: Path) -> None:
    _run(programs / "python", "-m", "pip", "install", *_QUIETLY, *_CHECKER)
    _run(programs / "basedpyright", "--project", str(_PYTHON), "--pythonpath", str(programs / "python"))


def _run(*command: str | Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run([*map(str, command)], env=environment, check=True)


if __name__ == "__main__":
    main()
