"""Webhook endpoints, managed by an operator or the web application."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from uuid import UUID

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import InvalidParameter, WebhookEndpointNotFound
from serve_app.domain.event import EventType
from serve_app.domain.ids import new_id
from serve_app.domain.plain_text import one_line
from serve_app.domain.webhook import PauseReason, WebhookEndpoint
from serve_app.net.outcome import BadUrl, Unreachable
from serve_app.services.ports import UrlGuard
from serve_app.services.webhooks.lookup import Change, change_endpoint, endpoint_of
from serve_app.services.webhooks.secrets import EndpointSecrets
from serve_app.store.base import Accounts, Endpoints
from serve_app.store.base.webhooks import TooManyEndpoints, UrlTaken

MAX_ENDPOINTS = 100
"""Per account."""
MAX_URL_LENGTH = 2048
MAX_DESCRIPTION_LENGTH = 200

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class EndpointAmendment:
    """What changes of an endpoint; None leaves it as it is, empty `types` are the ends of all runs."""

    url: str | None = None
    description: str | None = None
    types: Sequence[EventType] | None = None
    is_active: bool | None = None

    def applied(self, endpoint: WebhookEndpoint) -> WebhookEndpoint:
        """The endpoint after the change. `url` and `description` must have been checked."""
        changed = endpoint if self.url is None else _moved(endpoint, self.url)
        if self.description is not None:
            changed = replace(changed, description=self.description)
        if self.types is not None:
            changed = replace(changed, types=_each_once(self.types))
        if self.is_active is not None:
            changed = _resumed(changed) if self.is_active else _paused(changed)
        return changed


class EndpointService:
    """Registers, shows, changes and deletes endpoints.

    Every method raises LookupError for an account or an endpoint that is unknown or another account's, and ServiceError
    503 while the storage is out of reach.
    """

    def __init__(
        self,
        accounts: Accounts,
        endpoints: Endpoints,
        secrets: EndpointSecrets,
        guard: UrlGuard,
        clock: Clock = utc_now,
    ) -> None:
        self._accounts = accounts
        self._endpoints = endpoints
        self._secrets = secrets
        self._guard = guard
        self._clock = clock

    async def register(
        self, account_id: UUID, url: str, types: Sequence[EventType] = (), description: str = ""
    ) -> tuple[WebhookEndpoint, str]:
        """A new endpoint and its secret. It receives events of these types, or the ends of all runs if there are none.

        Raises InvalidParameter if the URL is malformed, not https, not public or registered
        already, if the description is too long, or if the account has reached its limit of endpoints.
        """
        await self.list(account_id)
        checked = await self._checked_url(url)
        secret, raw = self._secrets.new()
        endpoint = WebhookEndpoint(
            id=new_id(),
            account_id=account_id,
            url=checked,
            types=_each_once(types),
            secrets=(secret,),
            created_at=self._clock(),
            description=_checked_description(description),
        )
        with _refused_politely():
            await self._endpoints.add(endpoint, at_most=MAX_ENDPOINTS)
        _log("registered", endpoint)
        return endpoint, raw

    async def list(self, account_id: UUID) -> list[WebhookEndpoint]:
        """Oldest first."""
        if await self._accounts.get(account_id) is None:
            raise LookupError(f"there is no account {account_id}")
        return await self._endpoints.of_account(account_id)

    async def get(self, account_id: UUID, endpoint_id: UUID) -> WebhookEndpoint:
        return await endpoint_of(self._endpoints, account_id, endpoint_id)

    async def pause(self, account_id: UUID, endpoint_id: UUID) -> WebhookEndpoint:
        """Stop sending: deliveries that wait for an attempt are abandoned. A no-op if it is paused already."""
        return await self.amend(account_id, endpoint_id, EndpointAmendment(is_active=False))

    async def resume(self, account_id: UUID, endpoint_id: UUID) -> WebhookEndpoint:
        """Send new events again; what was abandoned stays so until it is redelivered. A no-op if the endpoint is
        active already."""
        return await self.amend(account_id, endpoint_id, EndpointAmendment(is_active=True))

    async def delete(self, account_id: UUID, endpoint_id: UUID) -> None:
        """Remove the endpoint and its deliveries permanently."""
        endpoint = await self.get(account_id, endpoint_id)
        if not await self._endpoints.remove(account_id, endpoint_id):
            raise WebhookEndpointNotFound
        _log("deleted", endpoint)

    async def rotate_secret(self, account_id: UUID, endpoint_id: UUID, *, lost_key: bool = False) -> str:
        """A new secret, which signs from now on; the previous one also signs for another 24 hours.

        Raises SealedElsewhere if this deployment's key does not open a secret that still signs; with `lost_key` such
        secrets are dropped instead. Raises InvalidParameter if three secrets sign already.
        """
        made: list[str] = []

        def rotate(endpoint: WebhookEndpoint) -> WebhookEndpoint:
            changed, raw = self._secrets.rotated(endpoint, self._clock(), lost_key=lost_key)
            made.append(raw)
            # The endpoint may have failed because its receiver knows only the new secret.
            return replace(changed, failing_since=None)

        _log("secret rotated", await self._change(account_id, endpoint_id, rotate))
        return made[-1]

    async def reveal_secret(self, account_id: UUID, endpoint_id: UUID) -> str:
        """The current secret. Raises ValueError if it was sealed with a key that this deployment does not have."""
        endpoint = await self.get(account_id, endpoint_id)
        _log("secret shown", endpoint)
        return self._secrets.present(endpoint)

    async def sign_with_key(self, account_id: UUID, endpoint_id: UUID) -> WebhookEndpoint:
        """Sign with a private key as well, from now on; receivers verify with its public key. A no-op if there is one
        already."""

        def add(endpoint: WebhookEndpoint) -> WebhookEndpoint:
            return endpoint if endpoint.signing_keys else self._secrets.with_new_key(endpoint, self._clock())

        changed = await self._change(account_id, endpoint_id, add)
        _log("signs with a private key", changed)
        return changed

    async def sign_without_key(self, account_id: UUID, endpoint_id: UUID) -> WebhookEndpoint:
        """Sign with the secret alone, at once; the private keys are forgotten. A no-op if there are none."""
        changed = await self._change(account_id, endpoint_id, lambda endpoint: replace(endpoint, signing_keys=()))
        _log("signs only with its secret", changed)
        return changed

    async def rotate_key(self, account_id: UUID, endpoint_id: UUID) -> WebhookEndpoint:
        """A new private key, which signs from now on; the previous one also signs for another 24 hours.

        Raises SealedElsewhere if this deployment's key does not open one that still signs. Raises InvalidParameter if
        three keys sign already, or none.
        """

        def rotate(endpoint: WebhookEndpoint) -> WebhookEndpoint:
            if not endpoint.signing_keys:
                raise InvalidParameter("The webhook endpoint has no key pair.")
            # The endpoint may have failed because its receiver knows only the new key.
            return replace(self._secrets.with_new_key(endpoint, self._clock()), failing_since=None)

        changed = await self._change(account_id, endpoint_id, rotate)
        _log("key pair rotated", changed)
        return changed

    async def amend(self, account_id: UUID, endpoint_id: UUID, amendment: EndpointAmendment) -> WebhookEndpoint:
        """Make the changes together, or none of them. Raises InvalidParameter as in `register`."""
        present = await self.get(account_id, endpoint_id)
        checked = amendment
        # A URL that stays may belong to a host that has no address now.
        if amendment.url is not None and amendment.url != present.url:
            checked = replace(checked, url=await self._checked_url(amendment.url))
        if amendment.description is not None:
            checked = replace(checked, description=_checked_description(amendment.description))
        with _refused_politely():
            changed = await self._change(account_id, endpoint_id, checked.applied)
        _log("changed", changed)
        return changed

    async def choose_types(self, account_id: UUID, endpoint_id: UUID, types: Sequence[EventType]) -> WebhookEndpoint:
        """From now on send only new events of these types, or the ends of all runs if there are none."""
        return await self.amend(account_id, endpoint_id, EndpointAmendment(types=types))

    async def change_url(self, account_id: UUID, endpoint_id: UUID, url: str) -> WebhookEndpoint:
        """Change the URL of an endpoint. Raises InvalidParameter as in `register`."""
        return await self.amend(account_id, endpoint_id, EndpointAmendment(url=url))

    async def describe(self, account_id: UUID, endpoint_id: UUID, description: str) -> WebhookEndpoint:
        """Set the owner's description. Raises InvalidParameter if it is too long."""
        return await self.amend(account_id, endpoint_id, EndpointAmendment(description=description))

    async def _change(self, account_id: UUID, endpoint_id: UUID, change: Change) -> WebhookEndpoint:
        return await change_endpoint(self._endpoints, account_id, endpoint_id, change)

    async def _checked_url(self, text: str) -> str:
        """The URL in its normalised form."""
        try:
            url = str(await self._guard.check(text))
        except BadUrl as error:
            raise InvalidParameter(f"The URL {error.reason}.") from None
        except Unreachable as error:
            raise InvalidParameter(f"The URL cannot be used: {error.reason}.") from None
        if len(url) > MAX_URL_LENGTH:
            raise InvalidParameter(f"The URL must not be longer than {MAX_URL_LENGTH} characters.")
        return url


@contextmanager
def _refused_politely() -> Iterator[None]:
    try:
        yield
    except UrlTaken:
        raise InvalidParameter("This URL is already registered.") from None
    except TooManyEndpoints:
        raise InvalidParameter(f"The account already has {MAX_ENDPOINTS} webhook endpoints.") from None


def _paused(endpoint: WebhookEndpoint) -> WebhookEndpoint:
    return replace(endpoint, paused_reason=PauseReason.BY_HAND) if endpoint.is_active else endpoint


def _resumed(endpoint: WebhookEndpoint) -> WebhookEndpoint:
    if endpoint.is_active:
        return endpoint
    return replace(endpoint, paused_reason=None, is_owner_unnotified=False, failing_since=None, is_slow=False)


def _moved(endpoint: WebhookEndpoint, url: str) -> WebhookEndpoint:
    """Resets the health: that of the old URL says nothing about the new one."""
    return endpoint if endpoint.url == url else replace(endpoint, url=url, failing_since=None, is_slow=False)


def _each_once(types: Sequence[EventType]) -> tuple[EventType, ...]:
    return tuple(type for type in EventType if type in types)


def _checked_description(text: str) -> str:
    description = one_line(text)
    if len(description) > MAX_DESCRIPTION_LENGTH:
        raise InvalidParameter(f"A description has at most {MAX_DESCRIPTION_LENGTH} characters.")
    return description


def _log(what: str, endpoint: WebhookEndpoint) -> None:
    """Without the URL: its path or query may be a password."""
    ids = {"account_id": str(endpoint.account_id), "endpoint_id": str(endpoint.id)}
    log.info("webhook endpoint: %s", what, extra=ids)
