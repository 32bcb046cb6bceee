"""What people are told when they are not signed in."""

from serve_app.services.people.refusals import Refusal

NO_MAIL = (
    "The service cannot send mail now, so there is no code. Try again in a minute; if it stays so, ask the operator, "
    "who can make a link that signs you in."
)
REFUSALS = {
    Refusal.UNUSABLE_LINK: (
        403,
        "It was used already, or it is too old: links work once, for 30 minutes, those in a mail for 10. "
        "Ask for a new mail, or ask the operator for a new link.",
    ),
    Refusal.OTHER_BROWSER: (
        403,
        "The link of a mail works only in the browser in which you asked for it. "
        "Go back to that browser, and type the code of the mail there. The mail can still be used.",
    ),
    Refusal.WRONG_CODE: (
        422,
        "This is not the code of the newest mail, or it is too old. After five wrong codes, ask for a new mail.",
    ),
    Refusal.TOO_MANY_TRIES: (
        429,
        "This link or code is wrong, used or too old, and too many wrong ones came from your network in this hour. "
        "A valid link or code still works.",
    ),
    Refusal.TOO_MANY_MAILS: (
        429,
        "Too many mails to this address were requested in this hour. Use the newest one, or sign in in another way. "
        "In a browser in which you signed in before, you can still request one.",
    ),
    Refusal.UNKNOWN_PERSON: (
        403,
        "Nobody here has your mail address. Ask an owner of the account to invite it.",
    ),
    Refusal.UNVERIFIED_ADDRESS: (
        403,
        "Your identity provider has not verified your mail address. Verify it there, then try again.",
    ),
    Refusal.OTHER_IDENTITY: (
        403,
        "Your mail address signed in here before as somebody else at your identity provider. If you are the same "
        "person, ask an owner of the account to remove you and to invite you again.",
    ),
    Refusal.PROVIDER_FAILED: (
        502,
        "The identity provider did not answer as it should. Try again; if it stays so, tell the operator, whose log "
        "has the reason.",
    ),
}
"""The status of the answer and its text, for each refusal."""
