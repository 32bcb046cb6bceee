"""What each provider sends: the mail, and whom it is for."""

import base64
import binascii
from dataclasses import dataclass
from typing import Any

from fastapi import Request

from serve_app.api.mail_in.fields import read_fields
from serve_app.http.body_limit import MAX_MAIL_BODY
from serve_app.http.errors import InvalidBody
from serve_app.http.json_bounds import members_of
from serve_app.system.thread_pools import decoding_pool

_SNS = (
    *("Type", "MessageId", "TopicArn", "Subject", "Timestamp", "Message", "Token", "SubscribeURL"),
    *("Signature", "SignatureVersion", "SigningCertURL"),
)


@dataclass(frozen=True, slots=True)
class Payload:
    """A mail for one or more recipients. `sender` is the envelope's; `peer` the server that brought it to the provider,
    where the provider says so."""

    raw: bytes
    recipients: tuple[str, ...]
    sender: str = ""
    peer: str | None = None


async def raw_payload(request: Request) -> Payload:
    """The body is the mail; `to` (which may be repeated) and `from` are in the query."""
    query = request.query_params
    return _checked(Payload(await request.body(), tuple(query.getlist("to")), query.get("from", "")))


async def mailgun_fields(request: Request) -> dict[str, bytes]:
    """A route with `forward("https://.../mail/in/mailgun/mime")`."""
    return await read_fields(request, MAX_MAIL_BODY)


def mailgun_payload(fields: dict[str, bytes]) -> Payload:
    """The mail in such a form."""
    recipients = _text(fields, "recipient").split(",")
    return _checked(Payload(fields.get("body-mime", b""), tuple(recipients), _text(fields, "sender")))


async def sendgrid_payload(request: Request) -> Payload:
    """Inbound Parse with "POST the raw, full MIME message"."""
    fields = await read_fields(request, MAX_MAIL_BODY)
    envelope = members_of(fields.get("envelope", b""), "to", "from")
    peer = _text(fields, "sender_ip").strip() or None
    return _checked(Payload(fields.get("email", b""), _texts(envelope.get("to")), _one(envelope.get("from")), peer))


async def postmark_payload(request: Request) -> Payload:
    """An inbound webhook with "Include raw email content in JSON payload"."""
    body = await _members(request, "RawEmail", "OriginalRecipient")
    # A character that Postmark could not read stays unreadable; the rest of the mail is as it was.
    raw = _one(body.get("RawEmail")).encode("utf-8", "surrogatepass")
    return _checked(Payload(raw, (_one(body.get("OriginalRecipient")),)))


@dataclass(frozen=True, slots=True)
class Subscription:
    """Amazon SNS asks whether it may send: whoever opens `url` says yes."""

    url: str


async def sns_message(request: Request) -> dict[str, Any]:
    """What Amazon SNS sends."""
    return await _members(request, *_SNS)


async def ses_payload(message: dict[str, Any]) -> Payload | Subscription:
    """A notification of an SES receipt rule with an SNS action, or the question that precedes them."""
    if message.get("Type") == "SubscriptionConfirmation":
        return Subscription(_one(message.get("SubscribeURL")))
    text = _one(message.get("Message"))
    return await decoding_pool(len(text)).run(_ses_mail, text)


async def _members(request: Request, *names: str) -> dict[str, Any]:
    body = await request.body()
    return await decoding_pool(len(body)).run(members_of, body, *names)


def _ses_mail(text: str) -> Payload:
    message = members_of(text.encode("utf-8", "surrogatepass"), "receipt", "mail", "content")
    receipt, mail = _dict(message.get("receipt")), _dict(message.get("mail"))
    content = _one(message.get("content"))
    is_base64 = _one(_dict(receipt.get("action")).get("encoding")).upper() == "BASE64"
    try:
        raw = base64.b64decode(content, validate=True) if is_base64 else content.encode("utf-8", "surrogatepass")
    except binascii.Error:
        raise InvalidBody("`content` is not base64.") from None
    return _checked(Payload(raw, _texts(receipt.get("recipients")), _one(mail.get("source"))))


def _checked(payload: Payload) -> Payload:
    """With neat addresses. Raises InvalidBody without a mail or a recipient."""
    recipients = tuple(dict.fromkeys(address for each in payload.recipients if (address := each.strip())))
    if not payload.raw:
        raise InvalidBody("The request contains no mail in its original form (MIME).")
    if not recipients:
        raise InvalidBody("The request does not name a recipient of the mail.")
    return Payload(payload.raw, recipients, payload.sender.strip().strip("<>"), payload.peer)


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _one(value: object) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: object) -> tuple[str, ...]:
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()


def _text(fields: dict[str, bytes], name: str) -> str:
    return fields.get(name, b"").decode("utf-8", "replace")
