"""Client of the invoice extraction service: `Client`, and `AsyncClient` with the same calls."""

from invoices_client import models, webhooks
from invoices_client._async.client import AsyncClient
from invoices_client._async.pages import AsyncPages
from invoices_client._sync.client import Client
from invoices_client._sync.pages import Pages
from invoices_client.errors import (
    APIConnectionError,
    APIError,
    APITimeoutError,
    AuthenticationError,
    InvalidRequestError,
    InvoicesError,
    NotFoundError,
    QuotaExceededError,
    RateLimitError,
    ServiceError,
    UnconfirmedError,
    WaitTimeoutError,
    WebhookVerificationError,
)
from invoices_client.results import CreateResult

__all__ = [
    "APIConnectionError",
    "APIError",
    "APITimeoutError",
    "AsyncClient",
    "AsyncPages",
    "AuthenticationError",
    "Client",
    "CreateResult",
    "InvalidRequestError",
    "InvoicesError",
    "NotFoundError",
    "Pages",
    "QuotaExceededError",
    "RateLimitError",
    "ServiceError",
    "UnconfirmedError",
    "WaitTimeoutError",
    "WebhookVerificationError",
    "models",
    "webhooks",
]
