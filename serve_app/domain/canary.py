"""A candidate pair of models that answers a share of the documents, while it is watched."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from uuid import UUID

STEPS = (0.01, 0.1, 0.5, 1.0)
"""The shares of documents by which a canary grows."""


class CanaryState(StrEnum):
    RUNNING = "running"
    STOPPED = "stopped"
    """By somebody."""
    ROLLED_BACK = "rolled_back"
    """By itself: the evidence spoke against it."""


class Arm(StrEnum):
    """What a document is to a canary."""

    CANDIDATE = "candidate"
    """The candidate answers it."""
    CONTROL = "control"
    """The first pair answers it, and what comes of it is compared with what comes of the candidate's."""


@dataclass(frozen=True, slots=True)
class Canary:
    """`pair` is the candidate; it answers the `share` of the documents of `accounts`, or of all accounts for None.
    `steps_itself`: it goes on to the next of STEPS once the evidence suffices. `stepped_at` is when the share changed
    last. `evidence` is what the tests had at the end, by their names (`serve_app.domain.sequential_test`)."""

    id: UUID
    pair: str
    share: float
    started_at: datetime
    stepped_at: datetime
    accounts: frozenset[UUID] | None = None
    steps_itself: bool = False
    state: CanaryState = CanaryState.RUNNING
    ended_at: datetime | None = None
    reason: str = ""
    evidence: Mapping[str, float] = field(default_factory=dict)
    revision: int = 0

    @property
    def is_running(self) -> bool:
        return self.state is CanaryState.RUNNING

    @property
    def next_step(self) -> float | None:
        """The next larger share; None after the last."""
        return next((step for step in STEPS if step > self.share), None)

    def arm_of(self, account_id: UUID, document_id: UUID) -> Arm | None:
        """What the document is to the canary, which is the same whenever it is asked; None: neither. A document that
        the candidate answers stays with it when the share grows. There are as many controls as documents of the
        candidate, as far as there are others."""
        if not self.is_running or not self.is_for(account_id):
            return None
        place = fraction(str(self.id), document_id)
        if place < self.share:
            return Arm.CANDIDATE
        return Arm.CONTROL if place >= 1 - min(self.share, 1 - self.share) else None

    def is_for(self, account_id: UUID) -> bool:
        """Whether documents of this account take part."""
        return self.accounts is None or account_id in self.accounts

    def stepped(self, share: float, now: datetime) -> "Canary":
        """With another share from now on."""
        return replace(self, share=share, stepped_at=now, revision=self.revision + 1)

    def ended(self, state: CanaryState, reason: str, now: datetime, evidence: Mapping[str, float]) -> "Canary":
        """It answers nothing more."""
        return replace(
            self, state=state, reason=reason, ended_at=now, evidence=dict(evidence), revision=self.revision + 1
        )


def fraction(salt: str, document_id: UUID) -> float:
    """A number from 0 up to 1 that is the same for the same document, and spread evenly over documents."""
    digest = hashlib.sha256(f"{salt}/{document_id}".encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


@dataclass(frozen=True, slots=True)
class CanaryRun:
    """How the answer to a document came about, in either arm: whether its pair `failed`, how many seconds its models
    took for a page, and whether a person corrected anything, once one has `decided_at`."""

    canary_id: UUID
    invoice_id: UUID
    account_id: UUID
    at: datetime
    arm: Arm
    failed: bool
    seconds: float
    decided_at: datetime | None = None
    corrected: bool = False
