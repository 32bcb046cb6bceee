"""Probes for supervisors and load balancers; no key needed."""

from fastapi import APIRouter

from serve_app.http.dependencies import AnyServices
from serve_app.services.bundle import Services

router = APIRouter(include_in_schema=False)


@router.get("/livez")
async def live() -> dict[str, str]:
    """The process answers."""
    return {"status": "live"}


@router.get("/readyz")
async def ready(services: AnyServices) -> dict[str, str | list[str]]:
    """Documents are accepted: the storage answers; otherwise 503. Says what the sandbox lacks, if anything."""
    await services.readiness.check()
    return _ready(services)


@router.get("/readyz/extract")
async def extracts(services: AnyServices) -> dict[str, str | list[str]]:
    """Documents are read now: a warm replica of each model answers, too; otherwise 503."""
    await services.readiness.check_extracting()
    return _ready(services)


def _ready(services: Services) -> dict[str, str | list[str]]:
    missing = services.readiness.sandbox_missing
    return {"status": "ready", "sandbox_missing": missing} if missing else {"status": "ready"}
