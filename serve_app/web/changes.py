"""Notes in the audit trail what people change on the pages."""

from serve_app.domain.audit import actor_of
from serve_app.services.bundle import Services
from serve_app.web.visitor import Visitor


async def record(services: Services, visitor: Visitor, action: str, target: str = "", **details: object) -> None:
    """Note that the visitor did `action`, a noun and a verb such as `invoice.deleted`, to `target`."""
    await services.people.audit.record(actor_of(visitor.person), visitor.account.id, action, target, **details)
