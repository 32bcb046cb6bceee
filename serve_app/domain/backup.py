"""Backups, as the audit trail names what was done with them; the alarms read their times there."""

from serve_app.domain.user_error import UserError

MADE = "backup.made"
TESTED = "backup.tested"
"""Restored elsewhere, and found whole."""
DAMAGED = "backup.found_damaged"
"""Restored elsewhere, and found wanting."""


class DamagedBackup(UserError):
    """What was copied is not what was written, so that it cannot be restored."""
