"""The registry: a folder with a folder for each model, and in it one for each version, named by its hash."""

import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from models.config import ModelError
from models.registry.content import content_hash
from models.registry.history import History, What
from models.registry.provenance import Provenance, read_provenance, write_provenance
from models.registry.reference import PREFIX, Reference, check_name
from serve_app.domain.suggestions import suggestion

_UNFINISHED = ".unfinished-"
_DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class Version:
    """A checkpoint in the registry, and where it lies."""

    name: str
    hash: str
    folder: Path

    @property
    def reference(self) -> str:
        """What a configuration calls it."""
        return f"{PREFIX}{self.name}@{self.hash}"

    @property
    def provenance(self) -> Provenance:
        """Raises ModelError if it is damaged."""
        return read_provenance(self.folder)


class Registry:
    """The versions in a folder, which need not exist yet. Nothing in a version's folder ever changes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def names(self) -> list[str]:
        """The models."""
        return sorted(path.parent.name for path in self._folder.glob("*/versions"))

    def versions(self, name: str) -> list[Version]:
        """A model's versions, the oldest first."""
        check_name(name)
        folders = [path for path in self._home(name).glob("*") if not path.name.startswith(_UNFINISHED)]
        return [Version(name, path.name, path) for path in sorted(folders, key=_age)]

    def find(self, reference: Reference) -> Version:
        """The version that is meant. Raises ModelError if there is none, or more than one."""
        found = [version for version in self.versions(reference.name) if version.hash.startswith(reference.hash)]
        if len(found) != 1:
            number = "several versions" if found else "no version"
            meant = "" if reference.name in self.names() else suggestion(reference.name, self.names())
            raise ModelError(
                f"{self._folder} has {number} {reference.name}@{reference.hash}{meant} (see `invoices models list`)"
            )
        return found[0]

    def history(self, name: str) -> History:
        """What happened to a model's versions."""
        check_name(name)
        return History(self._folder / name / "history.jsonl")

    def gate_file(self, version: Version) -> Path:
        """Where the verdict is kept by which a version was promoted."""
        return self._folder / version.name / "gates" / f"{version.hash}.json"

    def add(self, name: str, fill: Callable[[Path], Provenance]) -> Version:
        """Add the version that `fill` writes into an empty folder: it appears as a whole or not at all. One that is
        there already is kept as it is. Raises what `fill` raises, ModelError if it writes no model."""
        check_name(name)
        home = self._home(name)
        home.mkdir(parents=True, exist_ok=True)
        _remove_left_overs(home)
        unfinished = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=home))
        try:
            provenance = fill(unfinished)
            _check_configuration(unfinished / "config.json")
            write_provenance(unfinished, provenance)
            version = content_hash(unfinished)
            _make_durable(unfinished)
            return self._placed(name, version, unfinished)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)

    def checked(self, version: Version) -> Path:
        """The folder of a version. Raises ModelError if its files are not those of its hash: some are missing, or were
        altered."""
        found = content_hash(version.folder)
        if found != version.hash:
            raise ModelError(f"{version.folder} was changed or is incomplete: its files have the hash {found[:12]}...")
        return version.folder

    def promote(self, version: Version, note: str, gate: Path | None) -> None:
        """Make it the present version, if it is not; `gate` is the verdict by which it may be, which is kept."""
        if gate is not None:
            kept = self.gate_file(version)
            kept.parent.mkdir(parents=True, exist_ok=True)
            unfinished = kept.with_suffix(_UNFINISHED)
            shutil.copyfile(gate, unfinished)
            unfinished.replace(kept)
        history = self.history(version.name)
        # Otherwise a rollback would lead from the version to itself.
        if history.promoted()[-1:] != [version.hash]:
            history.add(What.PROMOTED, version.hash, note)

    def roll_back(self, name: str, note: str) -> Version:
        """Make the version the present one that was promoted before it; returns that. Raises ModelError if there is
        none."""
        history = self.history(name)
        promoted = history.promoted()
        if len(promoted) < 2:
            raise ModelError(f"no version of {name} was promoted before the current one")
        version = self.find(Reference(name, promoted[-2]))
        history.add(What.ROLLED_BACK, version.hash, note)
        return version

    def _home(self, name: str) -> Path:
        return self._folder / name / "versions"

    def _placed(self, name: str, version: str, unfinished: Path) -> Version:
        target = self._home(name) / version
        if not target.exists():
            try:
                unfinished.rename(target)
            except OSError:
                # Another process has just added the same version.
                if not target.exists():
                    raise
            _make_durable(target.parent)
        placed = Version(name, version, target)
        self.checked(placed)
        return placed


def _check_configuration(path: Path) -> None:
    if not path.is_file():
        raise ModelError(f"{path.name} is missing, so this is not a checkpoint")
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        content = None
    if not isinstance(content, dict):
        raise ModelError(f"{path.name} is not a JSON object, so this is not a checkpoint")


def _remove_left_overs(home: Path) -> None:
    """Of processes that were killed. A younger one may still be at work."""
    for path in home.glob(f"{_UNFINISHED}*"):
        if time.time() - path.stat().st_mtime > _DAY:
            shutil.rmtree(path, ignore_errors=True)


def _age(folder: Path) -> tuple[float, str]:
    return folder.stat().st_mtime, folder.name


def _make_durable(folder: Path) -> None:
    """What was written into the folder outlives a crash of the machine."""
    for path in [*folder.iterdir(), folder]:
        if path.is_file() or path == folder:
            descriptor = os.open(path, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
