"""Signed-in browsers: opened, recognised, listed, ended."""

import logging
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import ServiceError
from serve_app.domain.ids import new_id
from serve_app.domain.plain_text import one_line
from serve_app.domain.session import MAX_AGENT_LENGTH, Visit, WebSession, hash_secret, new_secret
from serve_app.store.base import Memberships, Sessions

_SEEN_AGAIN = timedelta(minutes=5)
"""How exactly it is known when a session was last used."""

log = logging.getLogger(__name__)


class SessionService:
    """The sessions of the web application. What a browser holds is called its secret; the store knows its hash."""

    def __init__(self, sessions: Sessions, memberships: Memberships, clock: Clock = utc_now) -> None:
        self._sessions = sessions
        self._memberships = memberships
        self._clock = clock

    async def open(
        self, person_id: UUID, agent: str, replaces: str | None = None, proved_at: datetime | None = None
    ) -> tuple[WebSession, str]:
        """A new session and its secret, for somebody who signs in. The session that the browser had before, with the
        secret `replaces`, ends: nobody who knew it gets in. `proved_at` is when the person showed who they are, if that
        was earlier than now."""
        before = await self._end_previous(replaces)
        account_id = await self._account_for(person_id, before)
        secret, now = new_secret(), self._clock()
        agent = one_line(agent)[:MAX_AGENT_LENGTH]
        proved = min(now, proved_at or now)
        session = WebSession(new_id(), hash_secret(secret), person_id, account_id, now, now, proved, agent)
        await self._sessions.add(session)
        log.info("signed in", extra={"person_id": str(person_id), "session_id": str(session.id)})
        return session, secret

    async def find(self, secret: str) -> Visit | None:
        """Who holds this secret, and notes that the session was used. Somebody who was removed from the account sees
        another one of theirs."""
        now = self._clock()
        visit = await self._sessions.find(hash_secret(secret), now)
        if visit is None:
            return None
        if now - visit.session.seen_at >= _SEEN_AGAIN:
            # Pages can be read while nothing can be written.
            with suppress(ServiceError):
                await self._sessions.touch(replace(visit.session, seen_at=now))
        return visit if visit.role is not None else await self._elsewhere(visit)

    def is_fresh(self, session: WebSession) -> bool:
        """Whether the person signed in within the last minutes."""
        return session.is_fresh(self._clock())

    async def switch(self, session: WebSession, account_id: UUID) -> None:
        """Look at another account. Raises LookupError if the person does not belong to it."""
        if all(place.account_id != account_id for place in await self._memberships.of_person(session.person_id)):
            raise LookupError("you do not belong to this account")
        await self._sessions.set_account(session.hash, account_id)

    async def devices(self, person_id: UUID) -> list[WebSession]:
        """All sessions of the person, last seen first."""
        return await self._sessions.of_person(person_id, self._clock())

    async def end(self, person_id: UUID, session_id: UUID) -> bool:
        """Sign out one browser; False if the person has no such session."""
        return await self._sessions.remove(person_id, session_id)

    async def end_all(self, person_id: UUID) -> int:
        """Sign out everywhere; returns how many sessions there were."""
        return await self._sessions.remove_of_person(person_id)

    async def _end_previous(self, secret: str | None) -> Visit | None:
        visit = None if secret is None else await self._sessions.find(hash_secret(secret), self._clock())
        if visit is not None:
            await self._sessions.remove(visit.person.id, visit.session.id)
        return visit

    async def _account_for(self, person_id: UUID, before: Visit | None) -> UUID | None:
        """The account that the same person was looking at, else the oldest."""
        places = [place.account_id for place in await self._memberships.of_person(person_id)]
        if before is not None and before.person.id == person_id and before.session.account_id in places:
            return before.session.account_id
        return places[0] if places else None

    async def _elsewhere(self, visit: Visit) -> Visit | None:
        account_id = await self._account_for(visit.person.id, None)
        if account_id is None:
            return visit
        await self._sessions.set_account(visit.session.hash, account_id)
        return await self._sessions.find(visit.session.hash, self._clock())
