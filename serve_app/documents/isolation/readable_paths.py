"""The files that reading needs; the service's own data, keys and settings are never among them."""

import os
import shutil
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path

from serve_app.documents.isolation.landlock import Reach
from serve_app.domain.user_error import UserError

_PROJECT = Path(__file__).parents[3]
# The poppler programs that pdf2image calls, and the one asked for the folder of language data.
_PROGRAMS = ("pdftoppm", "pdfinfo", "tesseract")
# Program loaders: the kernel starts them first.
_LOADERS = ("/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1")
# Libraries, fonts and language data. From /etc, /proc and /sys only what they look up: other files hold settings and
# secrets.
_SYSTEM = (
    "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/local/lib64",
    "/usr/share/fontconfig", "/usr/share/fonts", "/usr/share/ghostscript", "/usr/share/glib-2.0", "/usr/share/icu",
    "/usr/share/locale", "/usr/share/mime", "/usr/share/poppler", "/usr/share/tessdata", "/usr/share/tesseract-ocr",
    "/usr/share/texmf/fonts", "/usr/share/X11/fonts", "/usr/share/X11/locale", "/usr/share/zoneinfo",
    "/usr/local/share/fonts", "/usr/local/share/tessdata", "/usr/local/share/tesseract-ocr", "/var/cache/fontconfig",
    "/etc/fonts", "/etc/ld.so.cache", "/etc/localtime", "/etc/mime.types", "/etc/nsswitch.conf",
    "/proc/cpuinfo", "/proc/filesystems", "/proc/meminfo", "/proc/stat", "/proc/sys/vm", "/proc/version", "/proc/self",
    "/sys/devices/system", "/sys/fs/cgroup", "/sys/kernel/mm/transparent_hugepage", "/dev/random", "/dev/urandom",
)  # fmt: skip
# The driver looks at devices all over both; the memory of other processes stays closed.
_SYSTEM_WITH_GPU = ("/proc", "/sys", "/usr/local/cuda")
_FOLDERS_FROM_ENVIRONMENT = ("TESSDATA_PREFIX", "LD_LIBRARY_PATH")


def reach_of(hidden: Iterable[Path], writable: Path, uses_gpu: bool) -> Reach:
    """What a reader may touch, without `hidden` files and folders wherever they are.

    Raise ValueError if a whole folder that reading needs is to be hidden.
    """
    places = {path.resolve() for path in hidden}
    programs = _programs()
    requested = [
        *_python(),
        *_around(programs),
        *_chosen(),
        *map(Path, _SYSTEM + (_SYSTEM_WITH_GPU if uses_gpu else ())),
    ]
    needed = dict.fromkeys(path.resolve() for path in requested if path.exists())
    return Reach(
        readable=tuple(part for path in needed for part in without(path, places)),
        programs=(*programs, *(Path(path) for path in _LOADERS)),
        devices=(Path("/dev/null"), *(Path("/dev").glob("nvidia*") if uses_gpu else ())),
        writable=writable,
    )


def without(folder: Path, hidden: set[Path]) -> Iterator[Path]:
    """The folder; if it contains something hidden, everything next to that. Raise UserError if it is itself hidden."""
    if folder in hidden:
        raise UserError(
            f"{folder} contains data or a key as well as programs needed for reading documents: move one of the two."
        )
    if any(path.is_relative_to(folder) for path in hidden):
        # Links are resolved: the location of the target counts.
        beside = (entry for entry in sorted(folder.iterdir()) if not entry.is_symlink() and entry not in hidden)
        for entry in beside:
            yield from without(entry, hidden)
    else:
        yield folder


def _python() -> list[Path]:
    """Modules and libraries of this interpreter and environment, and the service's own; not the folders around them."""
    paths = sysconfig.get_paths()
    modules = [paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    project = _PROJECT.resolve()
    others = [path for path in sys.path if path and not project.is_relative_to(Path(path).resolve())]
    return [_PROJECT / "serve_app", Path(sys.base_prefix, "lib"), *map(Path, modules + others)]


def _programs() -> list[Path]:
    found = [shutil.which(name) for name in _PROGRAMS]
    return [Path(path).resolve() for path in found if path]


def _around(programs: list[Path]) -> list[Path]:
    """Where a program that is not part of the system finds its libraries and data."""
    prefixes = {path.parent.parent for path in programs}
    foreign = prefixes - {Path("/"), Path("/usr"), Path("/usr/local")}
    return [prefix / name for prefix in sorted(foreign) for name in ("lib", "share")]


def _chosen() -> list[Path]:
    values = [os.environ.get(name, "") for name in _FOLDERS_FROM_ENVIRONMENT]
    return [Path(path) for value in values for path in value.split(os.pathsep) if path]
