"""The target precision of accounts."""

import logging
from collections.abc import Callable, Collection
from uuid import UUID

from serve_app.domain.account import Account
from serve_app.domain.audit import Actor
from serve_app.domain.errors import InvalidParameter
from serve_app.domain.target_precision import TargetPrecision
from serve_app.services.people.audit import AuditTrail
from serve_app.store.base import Accounts

USUAL = "default"
"""What an account chooses to follow the deployment's setting."""

log = logging.getLogger(__name__)


class TargetPrecisions:
    """Knows and changes the target precision of accounts: `usual` for those that chose none. `fitted` finds those that
    the calibrations have thresholds for: a level never promises more than was measured."""

    def __init__(
        self,
        accounts: Accounts,
        audit: AuditTrail,
        fitted: Callable[[], Collection[TargetPrecision]],
        usual: TargetPrecision,
    ) -> None:
        self._accounts = accounts
        self._audit = audit
        self._fitted = fitted
        self.usual = usual

    def of(self, account: Account) -> TargetPrecision:
        """The one in force."""
        return account.target_or(self.usual)

    def choices(self) -> list[TargetPrecision]:
        """Those that an account can choose."""
        return sorted(self._fitted())

    async def choose(self, actor: Actor, account_id: UUID, choice: str) -> None:
        """Change it from the next document on; `USUAL`: as the setting says. Raises LookupError for an unknown account,
        InvalidParameter with the list of what can be chosen."""
        target = None if choice == USUAL else self._parse(choice)
        if not await self._accounts.set_target_precision(account_id, target):
            raise LookupError(f"there is no account {account_id}")
        await self._audit.record(actor, account_id, "account.target_precision_changed", chosen=choice)
        log.info("target precision set", extra={"account_id": str(account_id), "target": choice})

    def _parse(self, choice: str) -> TargetPrecision:
        choices = {str(target): target for target in self.choices()}
        if choice not in choices:
            raise InvalidParameter(f"Choose a target precision: {', '.join([*choices, USUAL])}.")
        return choices[choice]
