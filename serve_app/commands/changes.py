"""Notes in the audit trail what operators change by command line."""

import os
import pwd
import socket
from typing import TYPE_CHECKING
from uuid import UUID

from serve_app.domain.audit import Actor, operator_at

if TYPE_CHECKING:
    from serve_app.store.base import Store


async def record(store: "Store", account_id: UUID | None, action: str, target: str = "", **details: object) -> None:
    """Note that the operator did `action` to `target`, with the words that the web application uses for it; see
    `AuditTrail.record`."""
    from serve_app.services.people.audit import AuditTrail

    await AuditTrail(store.audit).record(command_line_actor(), account_id, action, target, **details)


def command_line_actor() -> Actor:
    """Who runs this command, as the audit trail names them."""
    return operator_at(_system_user(), socket.gethostname())


def _system_user() -> str:
    """The user of the process, and behind sudo also the person who called it: many run commands as the user of the
    service."""
    user = _name_of(os.getuid())
    caller = os.environ.get("SUDO_USER", user)
    return user if caller == user else f"{caller} as {user}"


def _name_of(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        # Containers often run as a user without a name.
        return str(uid)
