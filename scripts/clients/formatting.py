"""Written code in the project's format."""

import subprocess
import sys
from pathlib import Path

_RUFF = (str(Path(sys.executable).parent / "ruff"),)
_OPTIONS = ("--stdin-filename", "clients/python/src/invoices_client/written.py", "-")
ROOT = Path(__file__).parents[2]


def formatted(code: str) -> str:
    """The code with sorted, used imports, laid out as `make format` does."""
    checked = _run("check", "--select", "I,F401", "--fix-only", "--quiet", *_OPTIONS, code=code)
    return _run("format", "--quiet", *_OPTIONS, code=checked)


def _run(*arguments: str, code: str) -> str:
    done = subprocess.run([*_RUFF, *arguments], cwd=ROOT, input=code, capture_output=True, text=True, check=True)
    return done.stdout
