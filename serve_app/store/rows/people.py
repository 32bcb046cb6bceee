"""From rows about people to the domain's objects and back, for both stores."""

import json
from typing import Any
from uuid import UUID

from serve_app.domain.audit import Actor, ActorKind, AuditEntry
from serve_app.domain.person import Membership, Person, Role, address_key
from serve_app.domain.session import WebSession
from serve_app.domain.sign_in import MailSignIn, SignInLink
from serve_app.store.rows.codec import from_micros, to_micros
from serve_app.store.rows.columns import Fields


def person_row(person: Person) -> dict[str, Any]:
    return {
        "id": str(person.id),
        "email": person.email,
        "email_key": address_key(person.email),
        "name": person.name,
        "is_operator": int(person.is_operator),
        "created_at": to_micros(person.created_at),
    }


def person_from(row: Fields) -> Person:
    return Person(
        id=UUID(row["id"]),
        email=row["email"],
        name=row["name"],
        created_at=from_micros(row["created_at"]),
        is_operator=bool(row["is_operator"]),
    )


def membership_row(membership: Membership) -> dict[str, Any]:
    """Without the account."""
    return {
        "person_id": str(membership.person_id),
        "role": str(membership.role),
        "since": to_micros(membership.since),
    }


def membership_from(row: Fields) -> Membership:
    return Membership(UUID(row["account_id"]), UUID(row["person_id"]), Role(row["role"]), from_micros(row["since"]))


def session_row(session: WebSession) -> dict[str, Any]:
    return {
        "id": str(session.id),
        "hash": session.hash,
        "person_id": str(session.person_id),
        "account_id": session.account_id and str(session.account_id),
        "created_at": to_micros(session.created_at),
        "seen_at": to_micros(session.seen_at),
        "authenticated_at": to_micros(session.authenticated_at),
        "expires_at": to_micros(session.expires_at),
        "user_agent": session.user_agent,
    }


def session_from(row: Fields) -> WebSession:
    return WebSession(
        id=UUID(row["id"]),
        hash=row["hash"],
        person_id=UUID(row["person_id"]),
        account_id=row["account_id"] and UUID(row["account_id"]),
        created_at=from_micros(row["created_at"]),
        seen_at=from_micros(row["seen_at"]),
        authenticated_at=from_micros(row["authenticated_at"]),
        user_agent=row["user_agent"],
    )


def link_row(link: SignInLink) -> dict[str, Any]:
    return {"hash": link.hash, "person_id": str(link.person_id), "expires_at": to_micros(link.expires_at)}


def mail_row(mail: MailSignIn) -> dict[str, Any]:
    return {
        "browser_hash": mail.browser_hash,
        "link_hash": mail.link_hash,
        "code_hash": mail.code_hash,
        "person_id": mail.person_id and str(mail.person_id),
        "expires_at": to_micros(mail.expires_at),
        "tries": 0,
    }


def audit_row(entry: AuditEntry) -> dict[str, Any]:
    return {
        "id": str(entry.id),
        "account_id": entry.account_id and str(entry.account_id),
        "at": to_micros(entry.at),
        "actor_kind": str(entry.actor.kind),
        "actor_id": entry.actor.person_id and str(entry.actor.person_id),
        "actor_name": entry.actor.name,
        "action": entry.action,
        "target": entry.target,
        "details": json.dumps(dict(entry.details)),
    }


def audit_from(row: Fields) -> AuditEntry:
    actor_id = row["actor_id"] and UUID(row["actor_id"])
    return AuditEntry(
        id=UUID(row["id"]),
        account_id=row["account_id"] and UUID(row["account_id"]),
        at=from_micros(row["at"]),
        actor=Actor(ActorKind(row["actor_kind"]), actor_id, row["actor_name"]),
        action=row["action"],
        target=row["target"],
        details=json.loads(row["details"]),
    )
