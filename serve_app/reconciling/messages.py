"""Messages between a reconciling process and its parent. Both belong to the service, and the contents of documents are
only data in these messages, so pickle is safe."""

from dataclasses import dataclass

from serve_app.extraction.confidence.calibrations import Calibrations
from serve_app.reconciling.budget import DEFAULT_BUDGET, Budget


@dataclass(frozen=True, slots=True)
class Start:
    """The first message to a process, which must not outlive `parent`. `budget` is what each document may take."""

    calibrations: Calibrations
    parent: int
    budget: Budget = DEFAULT_BUDGET


@dataclass(frozen=True, slots=True)
class Ready:
    """Started."""


@dataclass(frozen=True, slots=True)
class Broken:
    """The work raised an error. `trace` names the lines of code in its traceback."""

    error: Exception
    trace: str
