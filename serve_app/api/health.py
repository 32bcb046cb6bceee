"""Probes for supervisors and load balancers; no key needed."""

from fastapi import APIRouter

from serve_app.http.dependencies import AnyServices
from serve_app.services.bundle import Services

router = APIRouter(include_in_schema=False)


@router.get("/livez")
async def live() -> dict[str, str]:
    """200 if the process answers."""
    return {"status": "live"}


@router.get("/readyz")
async def ready(services: AnyServices) -> dict[str, str | list[str]]:
    """200 if documents are accepted; else 503, which names the part that does not work. Lists missing parts of the
    sandbox."""
    await services.readiness.check()
    return _ready(services)


@router.get("/readyz/extract")
async def extracts(services: AnyServices) -> dict[str, str | list[str]]:
    """200 if documents are accepted and a warm replica of each model answers; else 503."""
    await services.readiness.check_extracting()
    return _ready(services)


def _ready(services: Services) -> dict[str, str | list[str]]:
    missing = services.readiness.sandbox_missing
    return {"status": "ready", "sandbox_missing": missing} if missing else {"status": "ready"}
