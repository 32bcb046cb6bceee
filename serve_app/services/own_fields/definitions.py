"""The fields that an account adds."""

from uuid import UUID

from serve_app.domain.audit import Actor
from serve_app.domain.errors import InvalidParameter, OwnFieldNotFound
from serve_app.domain.own_field import MAX_FIELDS, OwnField, checked_field
from serve_app.services.people.audit import AuditTrail
from serve_app.store.base import OwnFields


class OwnFieldService:
    """Shows own fields and changes them. Invoices that were read before keep what they have."""

    def __init__(self, fields: OwnFields, audit: AuditTrail) -> None:
        self._fields = fields
        self._audit = audit

    async def list_all(self, account_id: UUID) -> list[OwnField]:
        """In the order of their names."""
        return await self._fields.of_account(account_id)

    async def get(self, account_id: UUID, name: str) -> OwnField:
        """Raises OwnFieldNotFound."""
        for field in await self._fields.of_account(account_id):
            if field.name == name:
                return field
        raise OwnFieldNotFound

    async def put(self, account_id: UUID, field: OwnField, actor: Actor) -> OwnField:
        """Add the field, or replace the one of its name. The type and the scope of a field stay, because
        its values have them. Raises InvalidParameter."""
        field = checked_field(field)
        others = {each.name: each for each in await self._fields.of_account(account_id)}
        known = others.get(field.name)
        if known is not None and known.type is not field.type:
            raise InvalidParameter(f"type: {field.name} is of the type {known.type}; add another field.", "type")
        if known is not None and known.scope is not field.scope:
            raise InvalidParameter(f"scope: {field.name} has the scope {known.scope}; add another field.", "scope")
        if known is None and len(others) >= MAX_FIELDS:
            raise InvalidParameter(f"name: an account has at most {MAX_FIELDS} own fields; remove one first.", "name")
        if known != field and await self._fields.put(account_id, field):
            await self._audit.record(actor, account_id, "own_field.changed", field.name, type=field.type)
        return field

    async def remove(self, account_id: UUID, name: str, actor: Actor) -> None:
        """Remove the field. Invoices keep its values. Raises OwnFieldNotFound."""
        if not await self._fields.remove(account_id, name):
            raise OwnFieldNotFound
        await self._audit.record(actor, account_id, "own_field.removed", name)
