"""What the listener answers: fixed texts, with extended codes (RFC 3463). None repeats what the client sent."""

from serve_app.domain.errors import QueueTooLong, ServiceError
from serve_app.domain.mail_refusals import Refusal
from serve_app.services.mailroom.reception import Receipt

TRY_LATER = "451 4.3.0 The service cannot accept mail now; try again later"
QUEUE_TOO_LONG = "451 4.3.2 Too many documents of the recipient are waiting; try again later"
TOO_MANY_CONNECTIONS = "421 4.7.0 Too many connections; try again later"
TOO_MANY_MAILS = "450 4.7.1 Too many mails in this minute; try again later"
TOO_MANY_RECIPIENTS = "452 4.5.3 Too many recipients in one mail"
NO_HELP = "214 2.0.0 This server accepts mail for private addresses"
NO_VRFY = "252 2.1.5 Send a mail and see"
NOT_HERE = "502 5.5.1 Command not implemented"
NOT_KNOWN = "500 5.5.1 Unknown command"
RECIPIENT_OK = "250 2.1.5 The address accepts mail"
GO_ON = "354 End the mail with a line that contains only a dot"
NO_RECIPIENT = "503 5.5.1 Name a recipient first"
NO_ARGUMENT = "501 5.5.4 DATA takes no argument"
NO_MAIL = "554 5.6.0 This is no mail"

_REFUSED = {
    Refusal.UNKNOWN_ADDRESS: "550 5.1.1 There is no such address here",
    Refusal.ADDRESS_CHANGED: "550 5.1.6 The address was changed; ask its owner for the new one",
    Refusal.OVER_RATE: "452 4.2.2 The address has received too much mail today; try again later",
    Refusal.TOO_LARGE: "552 5.3.4 The mail is too large",
    Refusal.LOOP: "554 5.4.6 The mail is in a loop",
}


def refused(refusal: Refusal) -> str:
    """The answer to a mail or a recipient that is not accepted."""
    return _REFUSED[refusal]


def unavailable(error: ServiceError) -> str:
    """The answer while a mail cannot be accepted."""
    return QUEUE_TOO_LONG if isinstance(error, QueueTooLong) else TRY_LATER


def accepted(receipt: Receipt) -> str:
    """The answer to a mail that is safely stored."""
    return f"250 2.0.0 Accepted as {receipt.mail_id}"


def is_temporary(reply: str) -> bool:
    return reply.startswith("4")


def is_accepted(reply: str) -> bool:
    return reply.startswith("2")
