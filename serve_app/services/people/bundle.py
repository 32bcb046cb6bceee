"""The services about people that the web application and the command line need."""

from dataclasses import dataclass

from serve_app.services.people.audit import AuditTrail
from serve_app.services.people.invitations import Invitations
from serve_app.services.people.members import MemberService
from serve_app.services.people.oidc import OidcSignIn
from serve_app.services.people.sessions import SessionService
from serve_app.services.people.sign_in import SignIn, SignInLinks


@dataclass(frozen=True, slots=True)
class PeopleServices:
    """`members`: who belongs to an account. `invitations`: the same with mail. `sign_in`: who somebody is. `links`:
    one-time links for the command line. `sessions`: signed-in browsers. `audit`: who changed what. `provider`: signing
    in at an identity provider, if there is one."""

    members: MemberService
    invitations: Invitations
    sign_in: SignIn
    links: SignInLinks
    sessions: SessionService
    audit: AuditTrail
    provider: OidcSignIn | None = None
