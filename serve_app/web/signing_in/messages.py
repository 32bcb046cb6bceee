"""What people are told when they are not signed in."""

from serve_app.services.people.refusals import Refusal

NO_MAIL = "The service cannot send e-mail now. Try again in a minute, or ask the operator for a sign-in link."
REFUSALS = {
    Refusal.UNUSABLE_LINK: (
        403,
        "The link was already used or has expired. Links work once, for 30 minutes (in an e-mail for 10). Request a "
        "new e-mail, or ask the operator for a new link.",
    ),
    Refusal.OTHER_BROWSER: (
        403,
        "The link works only in the browser that requested it. Go back to that browser and enter the code from the "
        "e-mail there. The code is still valid.",
    ),
    Refusal.WRONG_CODE: (
        422,
        "This is not the code from the newest e-mail, or it has expired. After five wrong codes, request a new e-mail.",
    ),
    Refusal.TOO_MANY_TRIES: (
        429,
        "This link or code is wrong, used or expired, and there were too many failed attempts from your network in "
        "this hour. A valid link or code still works.",
    ),
    Refusal.TOO_MANY_MAILS: (
        429,
        "Too many e-mails to this address were requested in this hour. Use the newest one, or sign in another way. A "
        "browser that signed in before can still request one.",
    ),
    Refusal.UNKNOWN_PERSON: (
        403,
        "Your e-mail address has no access. Ask an owner of the account to invite you.",
    ),
    Refusal.UNVERIFIED_ADDRESS: (
        403,
        "Your identity provider has not verified your e-mail address. Verify it there, then try again.",
    ),
    Refusal.OTHER_IDENTITY: (
        403,
        "Your e-mail address belongs to another user of your identity provider. If that was you, ask an owner of the "
        "account to remove you and to invite you again.",
    ),
    Refusal.PROVIDER_FAILED: (
        502,
        "The identity provider did not answer correctly. Try again. If it fails again, contact the operator: the log "
        "has the reason.",
    ),
}
"""The status of the answer and its text, for each refusal."""
