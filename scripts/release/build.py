"""Wheel and sdist, which are the same byte for byte whenever and wherever one commit is built."""

import gzip
import io
import os
import subprocess
import sys
import tarfile
from pathlib import Path

# setuptools overwrites sys.argv.
_BUILD = "import sys; name, out = sys.argv[1:]; from setuptools import build_meta; getattr(build_meta, name)(out)"


def commit_time(root: Path) -> int:
    """When the checked-out commit was made, in Unix seconds."""
    return int(_git(root, "log", "-1", "--format=%ct"))


def is_clean(root: Path) -> bool:
    """Whether the checkout holds what its commit holds."""
    return not _git(root, "status", "--porcelain")


def export_commit(root: Path, folder: Path) -> None:
    """Write the files of the checked-out commit to a folder, and nothing else that lies in the checkout."""
    archive = folder.with_suffix(".tar")
    _git(root, "archive", f"--output={archive}", "HEAD")
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    archive.unlink()


def build(source: Path, out: Path, epoch: int) -> list[Path]:
    """Build the wheel and the sdist of the project in `source` with this environment's setuptools. Times in the files
    are `epoch`; what the umask and the clock would leave in them is taken out."""
    wheel = build_wheel(source, out, epoch)
    _run_setuptools("build_sdist", source, out, epoch)
    (sdist,) = out.glob("*.tar.gz")
    _normalize(sdist, epoch)
    return [wheel, sdist]


def build_wheel(source: Path, out: Path, epoch: int) -> Path:
    """`build` without the sdist."""
    _run_setuptools("build_wheel", source, out, epoch)
    (wheel,) = out.glob("*.whl")
    return wheel


def _run_setuptools(name: str, source: Path, out: Path, epoch: int) -> None:
    """Run a function of setuptools' build backend, which writes to `out`."""
    out.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(epoch), "PYTHONHASHSEED": "0"}
    environment.pop("PYTHONPATH", None)
    command = [sys.executable, "-c", _BUILD, name, str(out.absolute())]
    subprocess.run(command, cwd=source, env=environment, umask=0o022, check=True, stdout=subprocess.DEVNULL)


def pack_chart(chart: Path, version: str, out: Path, epoch: int) -> Path:
    """Write the archive of a Helm chart, as `helm package` would, and the same each time."""
    archive = out / f"{chart.name}-{version}.tgz"
    files = sorted(file for file in chart.rglob("*") if file.is_file())
    members = [(tarfile.TarInfo(str(file.relative_to(chart.parent))), file.read_bytes()) for file in files]
    _write(archive, members, epoch)
    return archive


def _normalize(sdist: Path, epoch: int) -> None:
    with tarfile.open(sdist) as tar:
        members = sorted(
            ((member, file.read() if (file := tar.extractfile(member)) else b"") for member in tar.getmembers()),
            key=lambda each: each[0].name,
        )
    _write(sdist, members, epoch)


def _write(archive: Path, members: list[tuple[tarfile.TarInfo, bytes]], epoch: int) -> None:
    with (
        open(archive, "wb") as file,
        gzip.GzipFile("", "wb", fileobj=file, mtime=epoch) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for member, content in members:
            plain = tarfile.TarInfo(member.name)
            plain.type, plain.size, plain.mtime = member.type, len(content), epoch
            plain.mode = 0o755 if member.mode & 0o100 else 0o644
            tar.addfile(plain, io.BytesIO(content))


def _git(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=root, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
