"""What operators see of the deployment."""

import io
import json
import platform
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from importlib.metadata import PackageNotFoundError, version

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import ServiceError
from serve_app.domain.model_report import ModelReport
from serve_app.domain.queue_state import QueueState
from serve_app.domain.webhook import WebhookEndpoint
from serve_app.services.deployment.shown_settings import shown_settings
from serve_app.services.ports import ModelReporting
from serve_app.services.upkeep.readiness import Readiness
from serve_app.settings import Settings
from serve_app.store.base import Store
from serve_app.system.thread_pools import WRITING_OUT

PERIOD = timedelta(hours=24)
MOST_FAILURES = 5_000
_ENDPOINTS = 500
_PACKAGES = (
    *("invoice-extraction-service", "fastapi", "ray", "pydantic", "motor", "pymongo", "torch", "onnxruntime"),
    *("transformers", "pypdfium2", "weasyprint", "aiohttp", "cryptography"),
)


@dataclass(frozen=True, slots=True)
class Overview:
    """The state of the deployment. `problem` says why it is not ready, `failures` are those of PERIOD by their code,
    `models` what replicas report (empty if none answers), `paused` the endpoints that get nothing."""

    at: datetime
    problem: str | None
    sandbox_missing: Sequence[str]
    queue: QueueState
    failures: Mapping[str, int]
    models: Sequence[ModelReport]
    paused: Sequence[WebhookEndpoint]
    counts: Mapping[str, int]


class DeploymentService:
    """Looks at everything that accounts share."""

    def __init__(
        self, store: Store, settings: Settings, readiness: Readiness, models: ModelReporting, clock: Clock = utc_now
    ) -> None:
        self._store = store
        self._settings = settings
        self._readiness = readiness
        self._models = models
        self._clock = clock

    async def overview(self) -> Overview:
        """The state now. Raises Unavailable while the storage is out of reach."""
        now = self._clock()
        return Overview(
            at=now,
            problem=await self._problem(),
            sandbox_missing=self._readiness.sandbox_missing,
            queue=(await self._store.queue.backlog()).state,
            failures=await self._store.events.failures(now - PERIOD, MOST_FAILURES),
            models=await self._models(),
            paused=await self._paused(),
            counts=await self._store.upkeep.counts(),
        )

    async def models(self) -> Sequence[ModelReport]:
        """What the replicas of the models report; empty if none answers."""
        return await self._models()

    def settings(self) -> Mapping[str, str]:
        """The settings in force, without secrets."""
        return shown_settings(self._settings)

    async def support_bundle(self) -> bytes:
        """A ZIP file for those who help: versions, settings without secrets, counts and failures by code. It has no
        secrets, nothing of documents, and no names, addresses or ids of people and accounts."""
        seen = await self.overview()
        files = {
            "versions.json": _versions(),
            "settings.json": dict(self.settings()),
            "state.json": {
                "at": seen.at,
                "problem": seen.problem,
                "sandbox_missing": list(seen.sandbox_missing),
                "queue": asdict(seen.queue),
                "counts": dict(seen.counts),
                "paused_endpoints": [{"reason": each.paused_reason} for each in seen.paused],
            },
            "failures.json": {"hours": PERIOD / timedelta(hours=1), "by_code": dict(seen.failures)},
            "models.json": [asdict(report) for report in seen.models],
        }
        return await WRITING_OUT.run(_zipped, files)

    async def _problem(self) -> str | None:
        try:
            await self._readiness.check_extracting()
        except ServiceError as error:
            return repr(error.__cause__) if error.__cause__ is not None else error.message
        return None

    async def _paused(self) -> list[WebhookEndpoint]:
        paused: list[WebhookEndpoint] = []
        last = None
        while page := await self._store.endpoints.list_all(after=last, limit=_ENDPOINTS):
            paused += [endpoint for endpoint in page if not endpoint.is_active]
            last = page[-1].id
        return paused


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version(), "platform": f"{platform.system()} {platform.machine()}"}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _zipped(files: Mapping[str, object]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, content in files.items():
            bundle.writestr(name, json.dumps(content, indent=2, default=str))
    return packed.getvalue()
