"""`/mail/in/...`: one address for each provider. They are no part of `/v1`: providers call them, with a secret."""

import logging
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from fastapi import APIRouter, Request
from pydantic import SecretStr
from starlette.responses import JSONResponse, Response

from serve_app.api.mail_in.payloads import (
    Payload,
    Subscription,
    mailgun_fields,
    mailgun_payload,
    postmark_payload,
    raw_payload,
    sendgrid_payload,
    ses_payload,
    sns_message,
)
from serve_app.api.mail_in.proofs import check_mailgun, check_secret
from serve_app.domain.clock import utc_now
from serve_app.domain.errors import FileTooLarge, InvalidParameter, Unavailable
from serve_app.domain.inbound_mail import Envelope, Way
from serve_app.domain.mail_refusals import MailRefused, Refusal
from serve_app.http.dependencies import AnyServices
from serve_app.http.errors import NotSignedByAmazon, RouteNotFound
from serve_app.services.bundle import Services

router = APIRouter(prefix="/mail/in", include_in_schema=False)

RETRY_SECONDS = 600
_RAW = {Refusal.UNKNOWN_ADDRESS: 404, Refusal.ADDRESS_CHANGED: 410, Refusal.TOO_LARGE: 413, Refusal.LOOP: 422}
# Mailgun and Postmark stop trying at these. SendGrid and SNS take an error for a reason to try again, for days.
_MAILGUN, _POSTMARK, _TAKEN = 406, 403, 200
_SNS = re.compile(r"https://sns\.[a-z0-9-]+\.amazonaws\.com(\.cn)?/")

log = logging.getLogger(__name__)


@router.post("/raw")
async def receive_raw(request: Request, services: AnyServices) -> Response:
    """A mail as it is; for programs of one's own, and for a worker at Cloudflare."""
    _check(request, services.settings.mail_http_secret)
    return await _receive(request, services, raw_payload, _RAW.__getitem__)


@router.post("/mailgun/mime")
async def receive_mailgun(request: Request, services: AnyServices) -> Response:
    """Signed by Mailgun."""
    key = services.settings.mailgun_signing_key
    if key is None:
        raise RouteNotFound

    async def read(request: Request) -> Payload:
        fields = await mailgun_fields(request)
        check_mailgun(fields, key, utc_now())
        return mailgun_payload(fields)

    return await _receive(request, services, read, lambda _: _MAILGUN)


@router.post("/postmark")
async def receive_postmark(request: Request, services: AnyServices) -> Response:
    """With the secret in the webhook's URL."""
    _check(request, services.settings.mail_http_secret)
    return await _receive(request, services, postmark_payload, lambda _: _POSTMARK)


@router.post("/sendgrid")
async def receive_sendgrid(request: Request, services: AnyServices) -> Response:
    """With the secret in the URL of Inbound Parse."""
    _check(request, services.settings.mail_http_secret)
    return await _receive(request, services, sendgrid_payload, lambda _: _TAKEN)


@router.post("/ses")
async def receive_ses(request: Request, services: AnyServices) -> Response:
    """With the secret in the URL of the subscription, which is confirmed here, and signed by Amazon."""
    _check(request, services.settings.mail_http_secret)

    async def read(request: Request) -> Payload | Subscription:
        message = await sns_message(request)
        if not await services.sns.is_signed(message):
            raise NotSignedByAmazon
        return await ses_payload(message)

    return await _receive(request, services, read, lambda _: _TAKEN)


def _check(request: Request, secret: SecretStr | None) -> None:
    """Without a secret, there is no such way in."""
    if secret is None:
        raise RouteNotFound
    check_secret(request.headers.get("authorization"), secret)


async def _receive(
    request: Request,
    services: Services,
    read: Callable[[Request], Awaitable[Payload | Subscription]],
    status_of: Callable[[Refusal], int],
) -> Response:
    """The mail is accepted for each recipient that is known, and the answer names each. Its status is a refusal only if
    nobody got the mail."""
    try:
        payload = await read(request)
    except FileTooLarge:
        return _refused(Refusal.TOO_LARGE, status_of)
    if isinstance(payload, Subscription):
        return await _subscribe(services, payload)
    receptions = [await _received(services, payload, recipient) for recipient in payload.recipients]
    return _answer(receptions, status_of)


@dataclass(frozen=True, slots=True)
class _Reception:
    """What became of the mail for one recipient: the id of what is kept, or why nothing is."""

    recipient: str
    mail_id: UUID | None = None
    refusal: Refusal | None = None
    error: Unavailable | None = None

    @property
    def is_passing(self) -> bool:
        """Whether trying again may help."""
        return self.error is not None or (self.refusal is not None and not self.refusal.is_permanent)

    @property
    def words(self) -> dict[str, str]:
        if self.mail_id is not None:
            return {"to": self.recipient, "id": str(self.mail_id)}
        return {"to": self.recipient, "refused": str(self.refusal or "unavailable")}


async def _received(services: Services, payload: Payload, recipient: str) -> _Reception:
    envelope = Envelope(recipient, Way.HTTP, payload.sender, payload.peer)
    try:
        receipt = await services.mailroom.reception.receive(payload.raw, envelope)
    except MailRefused as refused:
        return _Reception(recipient, refusal=refused.refusal)
    except Unavailable as error:
        return _Reception(recipient, error=error)
    return _Reception(recipient, receipt.mail_id)


def _answer(receptions: Sequence[_Reception], status_of: Callable[[Refusal], int]) -> Response:
    """What became of the mail for each recipient. Raises Unavailable if that is so for the only one."""
    if len(receptions) == 1 and receptions[0].error is not None:
        raise receptions[0].error
    each = {"recipients": [one.words for one in receptions]} if len(receptions) > 1 else {}
    # The mail is sent again to all; those who have it already do not get it twice.
    if (passing := next((one for one in receptions if one.is_passing), None)) is not None:
        return JSONResponse({"refused": passing.words["refused"], **each}, 503, {"Retry-After": str(RETRY_SECONDS)})
    if accepted := [one.words["id"] for one in receptions if one.mail_id is not None]:
        return JSONResponse({"ids": accepted, **each})
    refusal = next(one.refusal for one in receptions if one.refusal is not None)
    return JSONResponse({"refused": refusal, **each}, status_of(refusal))


def _refused(refusal: Refusal, status_of: Callable[[Refusal], int]) -> Response:
    return JSONResponse({"refused": refusal}, status_of(refusal))


async def _subscribe(services: Services, subscription: Subscription) -> Response:
    """Open the link, if it is one of Amazon's. Raises InvalidParameter otherwise."""
    if not _SNS.match(subscription.url):
        raise InvalidParameter("`SubscribeURL` does not lead to Amazon SNS.")
    await services.file_urls.fetch(subscription.url, None)
    log.info("subscription to Amazon SNS confirmed")
    return JSONResponse({"subscribed": True})
