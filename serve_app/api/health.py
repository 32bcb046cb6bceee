"""Probes for supervisors and load balancers; no key needed."""

from fastapi import APIRouter

from serve_app.api.dependencies import AnyServices

router = APIRouter(include_in_schema=False)


@router.get("/livez")
async def live() -> dict[str, str]:
    """The process answers."""
    return {"status": "live"}


@router.get("/readyz")
async def ready(services: AnyServices) -> dict[str, str | list[str]]:
    """The storage and both models answer, too; otherwise 503. Says what the sandbox lacks, if anything."""
    await services.readiness.check()
    missing = services.readiness.sandbox_missing
    return {"status": "ready", "sandbox_missing": missing} if missing else {"status": "ready"}
