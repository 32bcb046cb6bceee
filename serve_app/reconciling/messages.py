"""What a reconciling process and its parent say to each other. Both are the service's own, and what a document says is
only data in these messages: pickle carries it."""

from dataclasses import dataclass

from serve_app.extraction.calibration import Calibration


@dataclass(frozen=True, slots=True)
class Start:
    """The first message to a process, which must not outlive `parent`."""

    calibration: Calibration
    parent: int


@dataclass(frozen=True, slots=True)
class Ready:
    """Started."""


@dataclass(frozen=True, slots=True)
class Broken:
    """The work raised an error. `trace` names the lines of code that it came through."""

    error: Exception
    trace: str
