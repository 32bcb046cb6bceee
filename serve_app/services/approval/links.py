"""Links that answer an approval request: signed, valid for two weeks, for any holder."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum, auto
from typing import Self
from uuid import UUID

from serve_app.domain.clock import Clock
from serve_app.services.signed_tokens import BadToken, ExpiredToken, SigningKeys, TimedTokens

LINK_LIFE = timedelta(days=14)


class LinkProblem(Enum):
    """Why a link cannot be used."""

    INVALID = auto()
    """This deployment did not sign it, or it was changed."""
    EXPIRED = auto()
    ANSWERED = auto()
    """The request was answered already."""
    NOT_OPEN = auto()
    """A newer request replaced it, its own request is not recorded yet, or the invoice is gone."""
    NOT_COMPLETE = auto()
    """The invoice is being read again."""
    CHANGED = auto()
    """The invoice differs from what the answered page showed."""


class ApprovalLinkError(Exception):
    """A link that cannot be used."""

    def __init__(self, problem: LinkProblem) -> None:
        super().__init__(problem)
        self.problem = problem


@dataclass(frozen=True, slots=True)
class ApprovalToken:
    """What a link carries. `nonce` is random; the store knows only its hash, so neither a backup of the store nor the
    signing key alone is enough to answer."""

    account_id: UUID
    invoice_id: UUID
    nonce: str

    @classmethod
    def new(cls, account_id: UUID, invoice_id: UUID) -> Self:
        """A token for a new request."""
        return cls(account_id, invoice_id, secrets.token_urlsafe(16))

    @property
    def hash(self) -> str:
        """SHA-256 of the nonce in hexadecimal."""
        return hashlib.sha256(self.nonce.encode()).hexdigest()


class ApprovalLinks:
    """Writes tokens for links and reads them back."""

    def __init__(self, signing_keys: SigningKeys, clock: Clock) -> None:
        self._tokens = TimedTokens(signing_keys, "approval", LINK_LIFE, clock)

    def write(self, token: ApprovalToken) -> str:
        """The token as text for a link."""
        return self._tokens.write([token.account_id.hex, token.invoice_id.hex, token.nonce])

    def read(self, text: str) -> ApprovalToken:
        """Raises ApprovalLinkError if the token is invalid or has expired."""
        try:
            account_id, invoice_id, nonce = self._tokens.read(text)
        except ExpiredToken:
            raise ApprovalLinkError(LinkProblem.EXPIRED) from None
        except BadToken:
            raise ApprovalLinkError(LinkProblem.INVALID) from None
        return ApprovalToken(UUID(account_id), UUID(invoice_id), nonce)
