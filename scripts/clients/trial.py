"""Build the packages in clients/, and try them in new environments: `python -m scripts.clients.trial [OUT]`."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from scripts.clients.formatting import ROOT
from scripts.clients.n8n_trial import try_n8n
from scripts.clients.typescript_trial import try_typescript
from scripts.release.build import build, commit_time

# Each with the packages that it needs before.
_PACKAGES = {"python": (), "mcp": ("python",)}
_VERSIONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
# Pyright with its own Node: it reads the package as its users' editors do.
_CHECKER = ("basedpyright==1.40.2", "cryptography")
_QUIETLY = ("-qq", "--disable-pip-version-check")
_INSPECTOR = "@modelcontextprotocol/inspector@2.12.0"


def main() -> None:
    out = Path(sys.argv[1] if len(sys.argv) > 1 else "build/clients")
    shutil.rmtree(out, ignore_errors=True)
    wheels = {name: _build(name, out / name) for name in _PACKAGES}
    for name, needed in _PACKAGES.items():
        _try(name, [wheels[each] for each in (*needed, name)])
    answers = out / "answers.jsonl"
    _run_here("scripts.clients.answers", "500", str(answers))
    try_typescript(out, answers)
    _run_here("scripts.clients.first_csv")
    _run_here("scripts.clients.exactly_once")
    try_n8n(out)


def _build(name: str, out: Path) -> Path:
    with TemporaryDirectory() as folder:
        source = Path(folder) / "source"
        ignored = shutil.ignore_patterns("*.egg-info", "build", "__pycache__")
        shutil.copytree(ROOT / "clients" / name, source, ignore=ignored)
        wheel, sdist = build(source, out, commit_time(ROOT))
    print(f"{wheel}\n{sdist}")
    return wheel


def _try(name: str, wheels: list[Path]) -> None:
    """Test the installed package with each Python that is there."""
    package = ROOT / "clients" / name
    with TemporaryDirectory() as folder:
        for python in filter(_works, (f"python{version}" for version in _VERSIONS)):
            programs = _install(python, wheels, Path(folder) / python)
            _run(programs / "python", "-m", "unittest", "discover", "--quiet", str(package / "tests"))
            print(f"{python}: the installed package {name} passes its tests")
        _check_types(package, programs)
        if name == "mcp":
            _inspect(programs)


def _works(python: str) -> bool:
    """Also not if it is a shim for a version that is not there."""
    if shutil.which(python) is None:
        return False
    return subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode == 0


def _install(python: str, wheels: list[Path], folder: Path) -> Path:
    """A new environment with the packages; returns the folder of its programs."""
    _run(python, "-m", "venv", str(folder))
    _run(folder / "bin" / "python", "-m", "pip", "install", *_QUIETLY, *wheels)
    return folder / "bin"


def _check_types(package: Path, programs: Path) -> None:
    _run(programs / "python", "-m", "pip", "install", *_QUIETLY, *_CHECKER)
    _run(programs / "basedpyright", "--project", str(package), "--pythonpath", str(programs / "python"))


def _inspect(programs: Path) -> None:
    """The protocol's inspector lists the tools; without npm, it is left out."""
    if shutil.which("npx") is None:
        print("The MCP inspector is left out: npx is missing.")
        return
    # The inspector gives a server no other variables.
    command = ["npx", "--yes", _INSPECTOR, "--cli", "-e", "INVOICES_API_KEY=inv_live_x", str(programs / "invoices-mcp")]
    done = subprocess.run([*command, "--method", "tools/list"], capture_output=True, text=True, check=True, timeout=300)
    if '"mark_paid"' not in done.stdout:
        raise SystemExit(f"the inspector shows no tools: {done.stdout}")
    print("The MCP inspector lists the tools.")


def _run_here(module: str, *arguments: str) -> None:
    """A module that uses the Python client of the repository."""
    path = os.pathsep.join([str(ROOT), str(ROOT / "clients" / "python" / "src")])
    subprocess.run([sys.executable, "-m", module, *arguments], env={**os.environ, "PYTHONPATH": path}, check=True)


def _run(*command: str | Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run([*map(str, command)], env=environment, check=True)


if __name__ == "__main__":
    main()
