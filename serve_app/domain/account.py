"""Accounts, their plans and their API keys."""

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any, ClassVar
from uuid import UUID

from serve_app.domain.budget import BudgetInfo
from serve_app.domain.ids import new_id
from serve_app.domain.limits import MAX_FILE_BYTES
from serve_app.domain.livemode import is_live, sandbox_id
from serve_app.domain.resource import Resource
from serve_app.domain.target_precision import TargetPrecision
from serve_app.domain.usage import Usage

KEY_START = "inv_live_"
TEST_KEY_START = "inv_test_"
# The start of a raw key that may be shown: enough to tell keys apart, far too little to guess one.
_PREFIX_LENGTH = len(KEY_START) + 6

LimitValue = int | Decimal | None
"""The value of a limit; None: there is none."""


class Scope(StrEnum):
    """What a key may do: `full` allows everything, `read` all GET endpoints."""

    FULL = "full"
    READ = "read"


@dataclass(frozen=True, slots=True)
class AccountLimits:
    """What operators allow the accounts of a plan instead of what the deployment's settings do, or one account instead
    of what its plan does; None: as these do.

    `documents_per_month` None in a plan: no limit. `requests_per_minute` is of each key, `running` the documents that
    are in progress at once. `file_mb` can only be lower than the contract's limit. `budget_per_month` is in the
    deployment's currency, and None in a plan: no limit.
    """

    documents_per_month: int | None = None
    requests_per_minute: int | None = None
    running: int | None = None
    file_mb: int | None = None
    budget_per_month: Decimal | None = None

    @property
    def described(self) -> str:
        """Those that are set, in words for operators."""
        own = [f"{_LIMIT_NAMES[name]} {value:,}" for name, value in asdict(self).items() if value is not None]
        return ", ".join(own) or "as its plan and the settings say"

    def over(self, others: "AccountLimits") -> "AccountLimits":
        """These, and those of the others where there is none here."""
        own = {name: value for name, value in asdict(self).items() if value is not None}
        return replace(others, **own)

    def changed(self, changes: Mapping[str, LimitValue]) -> "AccountLimits":
        """These with other values for the limits that `changes` names."""
        values: dict[str, Any] = dict(changes)
        return replace(self, **values)

    @property
    def of_sandbox(self) -> "AccountLimits":
        """The same in test mode, which costs nothing."""
        return replace(self, documents_per_month=None, budget_per_month=None)

    @property
    def max_bytes(self) -> int:
        """Bytes of the largest document."""
        return MAX_FILE_BYTES if self.file_mb is None else self.file_mb * 2**20


_LIMIT_NAMES = {
    "documents_per_month": "documents a month:",
    "requests_per_minute": "requests a minute:",
    "running": "documents at once:",
    "file_mb": "MB of a file:",
    "budget_per_month": "budget a month:",
}
USUAL_LIMITS = AccountLimits()


@dataclass(frozen=True, slots=True)
class Plan:
    """Limits that several accounts share; an account's own are in their place. The four that the contract names are
    always there, operators add others."""

    name: str
    limits: AccountLimits = USUAL_LIMITS

    FREE: ClassVar["Plan"]
    PRO: ClassVar["Plan"]
    BUSINESS: ClassVar["Plan"]
    UNLIMITED: ClassVar["Plan"]

    @property
    def monthly_limit(self) -> int | None:
        """Extractions in a calendar month (UTC); None: no limit."""
        return self.limits.documents_per_month


Plan.FREE = Plan("free", AccountLimits(documents_per_month=10))
Plan.PRO = Plan("pro", AccountLimits(documents_per_month=200))
Plan.BUSINESS = Plan("business", AccountLimits(documents_per_month=1000))
Plan.UNLIMITED = Plan("unlimited")
CONTRACT_PLANS = {plan.name: plan for plan in (Plan.FREE, Plan.PRO, Plan.BUSINESS, Plan.UNLIMITED)}
"""Those that nobody can change."""


@dataclass(frozen=True, slots=True)
class Account:
    """Owner of invoices and keys. `email` is the address for notices to the owner. `target_precision` is
    None if it follows the deployment's setting. From `suspended_at` on it can neither send documents nor ask for
    anything, until an operator resumes it."""

    id: UUID
    plan: Plan
    created_at: datetime
    email: str | None = None
    target_precision: TargetPrecision | None = None
    limits: AccountLimits = USUAL_LIMITS
    suspended_at: datetime | None = None

    @property
    def monthly_limit(self) -> int | None:
        """Extractions in a calendar month (UTC); None: no limit, as in test mode. A suspended account has none left, so
        whatever waits for the quota waits for the account."""
        if self.suspended_at is not None:
            return 0
        return self.allowed.documents_per_month if self.is_live else None

    @property
    def monthly_budget(self) -> Decimal | None:
        """What the readings of a calendar month (UTC) may cost; None: no limit, as in test mode."""
        return self.allowed.budget_per_month if self.is_live else None

    @property
    def allowed(self) -> AccountLimits:
        """The limits in force: its own over those of its plan; None: what the settings say."""
        return self.limits.over(self.plan.limits)

    def target_or(self, usual: TargetPrecision) -> TargetPrecision:
        """The target precision in force, if `usual` is the deployment's setting."""
        return self.target_precision or usual

    @property
    def is_live(self) -> bool:
        """Whether its data is real, and not that of test mode."""
        return is_live(self.id)


def sandbox_of(account: Account, now: datetime) -> Account:
    """The account's sandbox, without a quota, and without an owner to be notified."""
    return replace(account, id=sandbox_id(account.id), created_at=now, email=None, limits=account.limits.of_sandbox)


@dataclass(frozen=True, slots=True)
class ApiKey:
    """An API key as it is stored: `hash` is the SHA-256 of the raw key in hexadecimal; the raw key is not stored.

    From `revoked_at` on it is refused; it is in the future while a replacement is being rolled out. `last_used_on` is
    the day (UTC) of its last known request.
    """

    id: UUID
    account_id: UUID
    name: str
    prefix: str
    scope: Scope
    hash: str
    created_at: datetime
    revoked_at: datetime | None = None
    last_used_on: date | None = None

    def works_at(self, moment: datetime) -> bool:
        """Whether the key is valid at this moment."""
        return self.revoked_at is None or self.revoked_at > moment


@dataclass(frozen=True, slots=True)
class Caller:
    """The sender of a request."""

    account: Account
    key: ApiKey


class KeyInfo(Resource):
    """A key as `GET /v1/me` shows it."""

    id: UUID
    name: str
    prefix: str
    scope: Scope
    created_at: datetime


class QuotaInfo(Resource):
    """Extractions of the current calendar month; `limit` None: no limit."""

    used: int
    limit: int | None
    period_start: datetime


class Me(Resource):
    """The answer of `GET /v1/me`."""

    user_id: UUID
    key: KeyInfo
    quota: QuotaInfo
    budget: BudgetInfo | None
    """None: the account has no budget."""
    usage: Usage
    """What the readings of the current calendar month took together."""
    target_precision: TargetPrecision
    """The share of `high` values that must be right."""
    livemode: bool = True
    """False for a key of test mode, whose data is apart."""


def hash_key(raw: str) -> str:
    """SHA-256 of a raw key. A raw key has 256 random bits, so a fast hash without salt cannot be searched."""
    return hashlib.sha256(raw.encode()).hexdigest()


def mint_key(account_id: UUID, name: str, scope: Scope, now: datetime) -> tuple[ApiKey, str]:
    """A new key and its raw form, which must be shown once and never stored or logged."""
    raw = (KEY_START if is_live(account_id) else TEST_KEY_START) + secrets.token_urlsafe(32)
    key = ApiKey(new_id(), account_id, name, raw[:_PREFIX_LENGTH], scope, hash_key(raw), now)
    return key, raw
