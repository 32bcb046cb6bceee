"""How many machines a load needs."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from serve_app.domain.load import PageKind
from serve_app.domain.user_error import UserError
from serve_app.services.capacity.profile import KindSeconds, PageSeconds, Profile
from serve_app.services.capacity.queueing import workers_for

DAY_SECONDS = 86_400
_HOUR_SECONDS = 3600
_PRICED_PAGES = 1000
WRITES_A_DOCUMENT = 6
"""To the database: reservation, row, claim, result, event, delivery."""
OVERHEAD_SECONDS = 0.12
"""Of one core for each document when all are busy, beside the work on its pages: HTTP, passing on, database, event
(docs/experiments/2026-11-23-processing.md)."""
BACKGROUND_CORES = 0.35
"""Of a machine, whatever it works on: Ray, and polling (docs/experiments/2026-11-23-processing.md)."""
_PLACES = 8
"""Documents that a dispatcher has in progress (MAX_RUNNING)."""
_GB = 1e9
# Measured (docs/how-to/run-on-one-machine.md, "Requirements"), in MB: of one replica with its child processes.
_MEMORY = {"Reader": 400, "Extractor": 250, "Verifier": 250, "Reconciler": 250, "Dispatcher": 100, "Ingress": 110}
_MEMORY_OF_RAY = 700
_TAIL = 0.05


@dataclass(frozen=True, slots=True)
class Workload:
    """`scans` is the share of pages that are pictures, `p95` in seconds from accepted to finished, `peak` how much
    busier the busiest hour is than the mean one."""

    pages_a_day: float
    scans: float
    p95: float
    peak: float = 3.0
    pages_a_document: float = 1.0


@dataclass(frozen=True, slots=True)
class Part:
    """One resource: how much the load needs in the busiest hour, and how much the measured machine has."""

    name: str
    needed: float
    there: float

    def full_at(self, pages_a_day: float) -> float:
        """The pages a day that take all that is there."""
        return pages_a_day * self.there / self.needed if self.needed else math.inf


@dataclass(frozen=True, slots=True)
class Plan:
    """`busy_cores` is the mean in the busiest hour, `cores` and `gpus` are what keeps the waits short."""

    workload: Workload
    replicas: dict[str, int]
    cores: int
    busy_cores: float
    gpus: int
    memory_gb: float
    writes_a_second: float
    gb_a_day: float
    parts: Sequence[Part]

    @property
    def first_limit(self) -> Part:
        """What the measured machine runs out of first."""
        return min(self.parts, key=lambda part: part.full_at(self.workload.pages_a_day))

    def price_of_cores(self, core_hour: float) -> float:
        """The price of 1,000 pages if all `cores` are paid around the clock, at a price of a core-hour."""
        return _PRICED_PAGES * self.cores * DAY_SECONDS / _HOUR_SECONDS * core_hour / self.workload.pages_a_day


@dataclass(frozen=True, slots=True)
class RaisedLimit:
    """A key of a deployment in the Serve configuration that must grow from `given` to `needed`."""

    deployment: str
    key: str
    given: int
    needed: int


def raised_limits(replicas: Mapping[str, int], graph: Mapping[str, Any]) -> list[RaisedLimit]:
    """Where a Serve configuration allows fewer replicas than these. What it omits is 1, as Serve has it."""
    found = []
    for deployment in graph["applications"][0]["deployments"]:
        scaling = deployment.get("autoscaling_config")
        key, place = ("num_replicas", deployment) if scaling is None else ("max_replicas", scaling)
        given, needed = place.get(key, 1), replicas.get(deployment["name"], 0)
        if isinstance(given, int) and given < needed:
            found.append(RaisedLimit(deployment["name"], key, given, needed))
    return found


def core_seconds(profile: Profile, scans: float, pages_a_document: float = 1.0) -> float:
    """What a page of a mix takes of a core when all are busy, with everything but the background; without the models if
    a GPU has them."""
    busy = profile.busy
    models = () if profile.gpu else (busy.extract, busy.verify)
    stages = (busy.read, *models, busy.reconcile)
    return sum(_mean(stage, scans) for stage in stages) + OVERHEAD_SECONDS / pages_a_document


def price_of_work(profile: Profile, scans: float, core_hour: float, pages_a_document: float = 1.0) -> float:
    """The price of the work on 1,000 pages of a mix, at a price of a core-hour. Idle cores and GPUs come on top."""
    return _PRICED_PAGES * core_seconds(profile, scans, pages_a_document) / _HOUR_SECONDS * core_hour


def pages_a_second(profile: Profile, scans: float) -> float:
    """How many pages of a mix, one a document, the cores of the measured machine take."""
    return (profile.cores - BACKGROUND_CORES) / core_seconds(profile, scans)


def plan(workload: Workload, profile: Profile) -> Plan:
    """The replicas, and what they need. Raises UserError if no number of replicas keeps the wish."""
    rate = workload.pages_a_day / DAY_SECONDS * workload.peak
    stages = _stages(profile.busy, workload.scans)
    kinds = (PageKind.TEXT, PageKind.SCAN) if workload.scans else (PageKind.TEXT,)
    alone = max(_alone(profile, kind) for kind in kinds)
    if workload.p95 <= alone:
        raise UserError(f"one page takes {alone:.1f} s here: no number of replicas finishes it in {workload.p95:g} s")
    # Both models work at the same time, so there are three waits one after the other.
    wait, tail = (workload.p95 - alone) / 3, _TAIL / 3
    replicas = {name: workers_for(rate, *stage, wait, tail) for name, stage in stages.items()}
    replicas |= {"Dispatcher": _dispatchers(rate * alone, replicas), "Ingress": 2}
    documents = rate / workload.pages_a_document
    work = rate * core_seconds(profile, workload.scans, workload.pages_a_document)
    models = replicas["Extractor"] + replicas["Verifier"]
    cores = replicas["Reader"] + replicas["Reconciler"] + (0 if profile.gpu else models)
    cores += math.ceil(documents * OVERHEAD_SECONDS + BACKGROUND_CORES)
    # Two models share a GPU, as in config/serve.yaml.
    gpus = math.ceil(models / 2) if profile.gpu else 0
    memory = sum(_MEMORY[name] * count for name, count in replicas.items()) + _MEMORY_OF_RAY
    there = profile.cores - BACKGROUND_CORES
    parts = [Part("cores", work, there), Part("database", documents, profile.documents_a_second)]
    if profile.gpu:
        parts.append(
            Part("GPU", rate * sum(_mean(stage, workload.scans) for stage in (profile.extract, profile.verify)), 1)
        )
    return Plan(
        workload,
        replicas,
        cores,
        work + BACKGROUND_CORES,
        gpus,
        memory / 1000,
        documents * WRITES_A_DOCUMENT,
        workload.pages_a_day / workload.pages_a_document * profile.bytes_a_document / _GB,
        parts,
    )


def _stages(seconds: PageSeconds, scans: float) -> dict[str, tuple[float, float]]:
    """The mean seconds of a page and their variation, by deployment."""
    return {
        "Reader": (_mean(seconds.read, scans), _variation(seconds.read, scans)),
        "Extractor": (_mean(seconds.extract, scans), 1.0),
        "Verifier": (_mean(seconds.verify, scans), 1.0),
        "Reconciler": (_mean(seconds.reconcile, scans), 1.0),
    }


def _mean(stage: KindSeconds, scans: float) -> float:
    return scans * stage[PageKind.SCAN] + (1 - scans) * stage[PageKind.TEXT]


def _variation(stage: KindSeconds, scans: float) -> float:
    """The standard deviation as a share of the mean."""
    deviation = math.sqrt(scans * (1 - scans)) * abs(stage[PageKind.SCAN] - stage[PageKind.TEXT])
    return deviation / _mean(stage, scans)


def _alone(profile: Profile, kind: PageKind) -> float:
    """The seconds of a page that waits for nothing. Both models work at the same time."""
    return profile.read[kind] + max(profile.extract[kind], profile.verify[kind]) + profile.reconcile[kind]


def _dispatchers(in_progress: float, replicas: dict[str, int]) -> int:
    busy = max(in_progress, replicas["Reader"] + max(replicas["Extractor"], replicas["Verifier"]))
    # One more: a second one takes over what a dead one held.
    return math.ceil(busy / _PLACES) + 1
