"""Which model a worker runs."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class ModelReport:
    """What a replica of a model's deployment says: the `revision` that it runs (None: none yet) and since when, and why
    it refused its latest configuration, if it did."""

    deployment: str
    replica: str
    revision: str | None
    since: datetime | None
    refused: str | None
