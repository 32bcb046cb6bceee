"""Where a checkpoint comes from: one file beside its weights."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from models.config import ModelError
from models.registry.content import PROVENANCE


class Provenance(BaseModel):
    """What is known of a checkpoint; None: unknown. Training writes what it knows, fetching adds the rest.

    `base` names the weights that training began with, `data` the documents, `generator` the version of the generator of
    documents, `commit` that of the code, `hours` how long it was trained on how many `documents`; `metrics` are F1
    scores and the like. `source` is where it was fetched from, `model` the `user_config` with which it is used, without
    the checkpoint; `calibration` names the file of its pair and that file's SHA-256.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    trained_at: datetime | None = None
    base: str | None = None
    data: list[str] | None = None
    generator: str | None = None
    commit: str | None = None
    hours: float | None = None
    documents: int | None = None
    metrics: dict[str, float] = {}
    licence: str | None = None
    source: str | None = None
    fetched_at: datetime | None = None
    model: dict[str, Any] = {}
    calibration: dict[str, str] | None = None


def read_provenance(folder: Path) -> Provenance:
    """That of the checkpoint in a folder: nothing is known if there is no file. Raises ModelError if it is damaged."""
    try:
        return Provenance.model_validate_json((folder / PROVENANCE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Provenance()
    except (OSError, UnicodeDecodeError, ValidationError) as error:
        raise ModelError(f"{folder / PROVENANCE} cannot be read: {' '.join(str(error).split())}") from error


def write_provenance(folder: Path, provenance: Provenance) -> None:
    """Write it beside the checkpoint's weights."""
    known = provenance.model_dump(mode="json", exclude_none=True)
    (folder / PROVENANCE).write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
