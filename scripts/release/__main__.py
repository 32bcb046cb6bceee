"""Build, describe and try a release: `python -m scripts.release [OUT]`, by default into dist/."""

import os
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from scripts.release.build import build, commit_time, export_commit, is_clean, pack_chart
from scripts.release.sbom import write_sbom
from scripts.release.trial import install_wheel, run_installed

ROOT = Path(__file__).parents[2]
SBOM = "sbom.cdx.json"
SUMS = "SHA256SUMS"
_TRIALS = (("--version",), ("doctor",), ("extract", str(ROOT / "samples" / "invoice.pdf")))
_IMAGES = """docker build -f Dockerfile.gpu -t invoices:{version} .
docker build -f Dockerfile.gpu -t invoices:{version}-cpu --build-arg VARIANT=cpu ."""


def main() -> None:
    out = Path(sys.argv[1] if len(sys.argv) > 1 else "dist")
    if not is_clean(ROOT):
        raise SystemExit("release: the checkout holds changes that are in no commit; commit or remove them first")
    shutil.rmtree(out, ignore_errors=True)
    epoch = commit_time(ROOT)
    with TemporaryDirectory() as folder:
        source = Path(folder) / "source"
        export_commit(ROOT, source)
        files = build(source, out, epoch)
        version = files[0].name.split("-")[1]
        pack_chart(source / "deploy" / "helm" / "invoices", version, out, epoch)
        write_sbom(source, out / SBOM, {**os.environ, "SOURCE_DATE_EPOCH": str(epoch)})
        _try(files[0], Path(folder))
    write_sums(out)
    _build_images(version)


def write_sums(folder: Path) -> None:
    """Write what `sha256sum --check` compares the files of a folder with."""
    files = sorted(file for file in folder.iterdir() if file.name != SUMS)
    lines = [f"{sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    (folder / SUMS).write_text("".join(lines))
    for file, line in zip(files, lines, strict=True):
        print(f"{file}  {file.stat().st_size:,} bytes  sha256 {line[:12]}")


def _try(wheel: Path, folder: Path) -> None:
    programs = install_wheel(wheel, folder / "environment")
    for arguments in _TRIALS:
        answer = run_installed(programs, folder, *arguments)
        if answer.returncode:
            raise SystemExit(f"release: the installed `invoices {' '.join(arguments)}` fails: {answer.stderr}")
        print(f"installed: invoices {arguments[0]} works")


def _build_images(version: str) -> None:
    commands = _IMAGES.format(version=version)
    if shutil.which("docker") and subprocess.run(["docker", "info"], capture_output=True, check=False).returncode == 0:
        subprocess.run(["bash", "-ec", commands], cwd=ROOT, check=True)
    else:
        print(f"The images were not built, because no Docker engine answers here. Build them from here:\n{commands}")


if __name__ == "__main__":
    main()
