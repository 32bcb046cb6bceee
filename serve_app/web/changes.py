"""Notes in the audit trail what people change."""

from serve_app.services.bundle import Services
from serve_app.web.visitor import OperatorAlone, Visitor


async def record(
    services: Services, visitor: Visitor | OperatorAlone, action: str, target: str = "", **details: object
) -> None:
    """Note that the visitor did `action`, a noun and a verb such as `invoice.deleted`, to `target`, in the visitor's
    account, or in the deployment if the visitor has none. Everybody who may read the trail sees `details`: no secrets,
    nothing of documents."""
    account_id = None if visitor.account is None else visitor.account.id
    await services.people.audit.record(visitor.actor, account_id, action, target, **details)
