"""Builds the services about people."""

from serve_app.domain.clock import Clock, utc_now
from serve_app.mail.factory import sender_of
from serve_app.mail.invitation import ComposeInvitation
from serve_app.mail.sign_in import ComposeSignIn
from serve_app.net.trusted import TrustedServer
from serve_app.services.people.attempts import AttemptCounter
from serve_app.services.people.audit import AuditTrail
from serve_app.services.people.bundle import PeopleServices
from serve_app.services.people.invitations import Invitations
from serve_app.services.people.members import MemberService
from serve_app.services.people.oidc import OidcClient, OidcSignIn
from serve_app.services.people.sessions import SessionService
from serve_app.services.people.sign_in import SignIn, SignInLimits, SignInLinks
from serve_app.services.ports import Mailer
from serve_app.settings import Settings
from serve_app.store.base import Store


def build_members(store: Store, clock: Clock = utc_now) -> MemberService:
    """Who belongs to which account, for an operator or the web application."""
    audit = AuditTrail(store.audit, clock)
    return MemberService(store.accounts, store.people, store.memberships, store.sessions, audit, clock)


def build_people(store: Store, settings: Settings, mailer: Mailer, clock: Clock = utc_now) -> PeopleServices:
    """All about people, for the web application. Raises ValueError if the sender of mail cannot be used."""
    members, attempts = build_members(store, clock), AttemptCounter(store.rate_windows, clock)
    limits = SignInLimits(settings.sign_in_mails_per_address, settings.sign_in_attempts_per_peer)
    compose = ComposeSignIn(sender_of(settings))
    return PeopleServices(
        members=members,
        invitations=Invitations(members, attempts, mailer, ComposeInvitation(sender_of(settings)), clock),
        sign_in=SignIn(store.people, store.sign_ins, attempts, limits, mailer, compose, clock),
        links=SignInLinks(store.sign_ins, clock),
        sessions=SessionService(store.sessions, store.memberships, clock),
        audit=AuditTrail(store.audit, clock),
        provider=_build_provider(settings, store, clock),
    )


def _build_provider(settings: Settings, store: Store, clock: Clock) -> OidcSignIn | None:
    if not settings.oidc_issuer or not settings.oidc_client_id or settings.oidc_client_secret is None:
        return None
    client = OidcClient(
        settings.oidc_issuer,
        settings.oidc_client_id,
        settings.oidc_client_secret.get_secret_value(),
        settings.oidc_name,
    )
    return OidcSignIn(client, TrustedServer(), store.people, clock)
