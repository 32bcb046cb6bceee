"""What the work on a page takes on one kind of machine, as `invoices plan --measure` found it."""

import shlex
from datetime import datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from serve_app.domain.load import PageKind
from serve_app.domain.user_error import UserError

KindSeconds = dict[PageKind, float]
"""Seconds for a page, by its kind: pages of different kinds differ in how much is on them, too."""


class PageSeconds(BaseModel):
    """What the stages take for a page, in seconds of one core; with a GPU, those of the models are seconds of that."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    read: KindSeconds
    extract: KindSeconds
    verify: KindSeconds
    reconcile: KindSeconds


class Profile(PageSeconds):
    """The seconds of a page on a machine with nothing else to do; `busy` are those while every core does the same,
    since two threads of one core share it, and all share caches and memory. `documents_a_second` is how many documents
    the database takes through the queue, on this machine with nothing else to do, `bytes_a_document` what a document
    adds to the database and the files."""

    taken_at: datetime
    machine: str
    cores: int
    gpu: str | None
    busy: PageSeconds
    documents_a_second: float
    bytes_a_document: float


def read_profile(path: Path) -> Profile:
    """The profile in a file. Raises UserError if there is none, and says how to get one."""
    try:
        return Profile.model_validate_json(path.read_bytes())
    except FileNotFoundError as error:
        raise UserError(
            f"there is no machine profile at {path}; to measure this machine in a minute or two, run: invoices plan "
            f"--measure --profile {shlex.quote(str(path))}"
        ) from error
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from error
    except ValidationError as error:
        first = error.errors()[0]
        raise UserError(
            f"{path}: not a profile of this version ({'.'.join(map(str, first['loc']))}: {first['msg']}); measure a "
            "new one with --measure"
        ) from error
