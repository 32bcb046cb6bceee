"""Signing in without passwords: by a link from a terminal, or by a mail (ADR 0041)."""

import logging
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from typing import NoReturn
from uuid import UUID

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.person import Person, address_key
from serve_app.domain.session import hash_secret, new_secret
from serve_app.domain.sign_in import (
    CODE_LENGTH,
    LINK_LIFE,
    LONG_CODE_LENGTH,
    MAIL_LIFE,
    SHORT_CODES_A_DAY,
    KnownBrowser,
    MailSignIn,
    SignInLink,
    hash_code,
    new_code,
)
from serve_app.services.people.attempts import AttemptCounter, peer_key
from serve_app.services.people.refusals import Refusal, SignInRefused
from serve_app.services.ports import Mailer, MailError
from serve_app.services.tasks.background import Background
from serve_app.store.base import People, SignIns

_MAIL_LINK = "m."
"""The start of a token that came by mail, so that the page can tell what to do with it."""
_DIGITS = re.compile(r"[^0-9]")
_ASKERS = 5
"""How many times the mails of one asker are sent to one address in an hour, whoever asks."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SignInMail:
    """What the mail says: a link and a code, which sign in the browser that asked."""

    to: str
    url: str
    code: str
    sent_at: datetime
    life: timedelta = MAIL_LIFE


@dataclass(frozen=True, slots=True)
class SignInLimits:
    """How often in an hour: mails to one address for one asker, which is a network or a known browser; and failures
    from one network, after which further ones are refused as too many."""

    mails_per_address: int
    failures_per_peer: int


Compose = Callable[[SignInMail], EmailMessage]


class SignIn:
    """Finds out who somebody is; `SessionService` opens the session."""

    def __init__(
        self,
        people: People,
        sign_ins: SignIns,
        attempts: AttemptCounter,
        limits: SignInLimits,
        mailer: Mailer,
        compose: Compose,
        clock: Clock = utc_now,
    ) -> None:
        self._people = people
        self._sign_ins = sign_ins
        self._attempts = attempts
        self._limits = limits
        self._mailer = mailer
        self._compose = compose
        self._clock = clock
        self._sending = Background()

    async def ask_for_mail(
        self, address: str, peer: str, base_url: str, known_browser: KnownBrowser | None = None
    ) -> str:
        """Mail a link and a code to this address, if somebody has it; returns a secret for the browser that asks,
        without which neither is worth anything. The answer, and the time it takes, do not tell whether somebody has the
        address. The link begins with `base_url`. Raises SignInRefused.

        What others ask for does not count against a `known_browser` of the person."""
        person = await self._people.find(address)
        own = known_browser if person is not None and _is_own(known_browser, person) else None
        await self._count_mail(address_key(address), peer, own)
        length = CODE_LENGTH if own else await self._code_length(address_key(address))
        browser, link, code = new_secret(), new_secret(), new_code(length)
        proofs = hash_secret(browser), hash_secret(link), hash_code(code, browser)
        now = self._clock()
        person_id = None if person is None else person.id
        await self._sign_ins.add_mail(MailSignIn(*proofs, person_id, now + MAIL_LIFE))
        if person is not None:
            mail = SignInMail(person.email, enter_url(base_url, _MAIL_LINK + link), code, now)
            self._sending.start(self._send(mail, person))
        return browser

    async def by_token(self, token: str, browser: str | None, peer: str) -> UUID:
        """The person whom the token of a link signs in. `browser` is the secret of the browser that opened it, if it
        asked for a mail. A valid token is never refused, whatever came from its peer before. Raises SignInRefused."""
        if not token.startswith(_MAIL_LINK):
            taken = await self._sign_ins.take_link(hash_secret(token), self._clock())
        elif browser is None:
            # The link stays usable: this may be a scanner of mail.
            raise SignInRefused(Refusal.OTHER_BROWSER)
        else:
            link = hash_secret(token.removeprefix(_MAIL_LINK))
            taken = await self._sign_ins.take_mail(hash_secret(browser), link, self._clock())
        return taken or await self.fail(Refusal.UNUSABLE_LINK, peer)

    async def by_code(self, code: str, browser: str | None, peer: str) -> UUID:
        """The person to whom this code was mailed for this browser. Raises SignInRefused.

        The limits that keep codes from being guessed are those of the mail (MAX_TRIES) and of mails to the address
        (SHORT_CODES_A_DAY): without the secret of a browser that asked, no number of tries helps."""
        if browser is None:
            return await self.fail(Refusal.WRONG_CODE, peer)
        proof = hash_code(_DIGITS.sub("", code), browser)
        taken = await self._sign_ins.take_mail(hash_secret(browser), proof, self._clock())
        return taken or await self.fail(Refusal.WRONG_CODE, peer)

    async def fail(self, refusal: Refusal, peer: str) -> NoReturn:
        """Count a failure of this peer. Raises SignInRefused: with TOO_MANY_TRIES after too many in this hour."""
        if await self._attempts.are_too_many(f"failures of {peer_key(peer)}", self._limits.failures_per_peer):
            raise SignInRefused(Refusal.TOO_MANY_TRIES)
        raise SignInRefused(refusal)

    async def finish(self) -> None:
        """Returns when all mail was handed over."""
        await self._sending.idle()

    async def _count_mail(self, address: str, peer: str, own: KnownBrowser | None) -> None:
        asker = f"browser {own.id}" if own else peer_key(peer)
        each, all = self._limits.mails_per_address, _ASKERS * self._limits.mails_per_address
        if await self._attempts.are_too_many(f"mail to {address} for {asker}", each):
            raise SignInRefused(Refusal.TOO_MANY_MAILS)
        if own is None and await self._attempts.are_too_many(f"mail to {address}", all):
            raise SignInRefused(Refusal.TOO_MANY_MAILS)

    async def _code_length(self, address: str) -> int:
        is_usual = await self._attempts.count_today(f"codes to {address}") <= SHORT_CODES_A_DAY
        return CODE_LENGTH if is_usual else LONG_CODE_LENGTH

    async def _send(self, mail: SignInMail, person: Person) -> None:
        try:
            await self._mailer.send(self._compose(mail))
        except MailError as error:
            log.warning("sign-in mail not sent: %s", error, extra={"person_id": str(person.id)})


class SignInLinks:
    """Makes one-time links for an operator at a terminal to hand over. Never for a web page: whoever has such a link is
    its person."""

    def __init__(self, sign_ins: SignIns, clock: Clock = utc_now) -> None:
        self._sign_ins = sign_ins
        self._clock = clock

    async def make(self, person_id: UUID, base_url: str) -> str:
        """A link that signs the person in, once, within half an hour."""
        token = new_secret()
        await self._sign_ins.add_link(SignInLink(hash_secret(token), person_id, self._clock() + LINK_LIFE))
        log.info("sign-in link made", extra={"person_id": str(person_id)})
        return enter_url(base_url, token)


def enter_url(base_url: str, token: str) -> str:
    """The page that signs in; browsers send nothing behind the `#`, so no log has the token."""
    return f"{base_url.rstrip('/')}/app/enter#{token}"


def _is_own(browser: KnownBrowser | None, person: Person) -> bool:
    return browser is not None and browser.person_id == person.id
