"""Notes in the audit trail what people change."""

from serve_app.services.bundle import Services
from serve_app.web.visitor import Visitor


async def record(services: Services, visitor: Visitor, action: str, target: str = "", **details: object) -> None:
    """Note that the visitor did `action`, a noun and a verb such as `invoice.deleted`, to `target`, in the visitor's
    account. Everybody who may read the trail sees `details`: no secrets, nothing of documents."""
    await services.people.audit.record(visitor.actor, visitor.account.id, action, target, **details)
