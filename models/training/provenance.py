"""What training knows of the checkpoint that it writes."""

import json
import subprocess
from hashlib import sha256
from pathlib import Path

from models.registry.provenance import Provenance
from serve_app.domain.clock import utc_now

_GENERATOR = Path(__file__).parent / "generator"
_DIGITS = 12


def provenance_of(run: Path, data: list[str], documents: int, seconds: float) -> Provenance:
    """That of a run in its folder, which has seen so many documents of these `data`."""
    return Provenance(
        trained_at=utc_now(),
        data=data,
        generator=generator_version(),
        commit=commit(),
        hours=round(seconds / 3600, 2),
        documents=documents,
        metrics=_last_scores(run / "log.jsonl"),
    )


def generator_version() -> str:
    """A digest of the generator's source: other code makes other documents."""
    whole = sha256()
    for path in sorted(_GENERATOR.rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            whole.update(path.relative_to(_GENERATOR).as_posix().encode() + b"\0" + path.read_bytes())
    return whole.hexdigest()[:_DIGITS]


def commit() -> str | None:
    """The commit of the code, with a + if it was changed since; None outside a checkout."""
    folder = Path(__file__).parent
    try:
        found = _git("rev-parse", "HEAD", folder=folder)
        is_changed = bool(_git("status", "--porcelain", "--untracked-files=no", folder=folder))
    except (OSError, subprocess.SubprocessError):
        return None
    return found[:_DIGITS] + ("+" if is_changed else "")


def _git(*arguments: str, folder: Path) -> str:
    command = ["git", "-C", str(folder), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=10)  # noqa: S603
    return done.stdout.strip()


def _last_scores(log: Path) -> dict[str, float]:
    """The last F1 of each kind of held-out documents."""
    found: dict[str, float] = {}
    for line in log.read_text(encoding="utf-8").splitlines() if log.exists() else []:
        values = json.loads(line).items()
        found |= {name: round(value, 4) for name, value in values if name.startswith("f1") and isinstance(value, float)}
    return found
