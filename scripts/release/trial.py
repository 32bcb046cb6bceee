"""A built wheel, installed and tried without the checkout."""

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path


def install_wheel(wheel: Path, folder: Path) -> Path:
    """Install a wheel into a new environment, with the locked packages of this one below it. Returns the folder of its
    programs."""
    venv.create(folder)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(folder)}))
    # A line in a .pth file adds a folder, but not that folder's own .pth files: this project's checkout stays out.
    (packages / "locked.pth").write_text(sysconfig.get_path("purelib") + "\n")
    python = folder / "bin" / "python"
    # Few of its modules are imported, and compiled then.
    options = ["--quiet", "--no-deps", "--no-index", "--no-compile", "--disable-pip-version-check"]
    subprocess.run([sys.executable, "-m", "pip", "--python", str(python), "install", *options, str(wheel)], check=True)
    return folder / "bin"


def run_installed(programs: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """What `invoices` answers there, called in `folder`."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [programs / "invoices", *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
