"""Each error has one answer."""

import pickle
from collections.abc import Iterator

import pytest

from serve_app.domain.errors import (
    DocumentError,
    InvoiceContended,
    MailLimitReached,
    OutcomeUnknown,
    QuotaReached,
    RateLimitReached,
    RequestInFlight,
    ServiceError,
    StoreUnreachable,
)
from serve_app.http.error_table import RETRY_SECONDS, answer_to, row_of
from serve_app.http.errors import MethodNotAllowed, MissingApiKey
from tests.api.contract.additions import ERRORS as ADDED
from tests.api.contract.errors import ERRORS


def leaves(kind: type[ServiceError] = ServiceError) -> Iterator[type[ServiceError]]:
    """The errors that have no kinds of their own below them."""
    below = kind.__subclasses__()
    if not below:
        yield kind
    for lower in below:
        yield from leaves(lower)


@pytest.mark.parametrize("kind", list(leaves()))
def test_every_error_has_a_row_of_the_contract(kind: type[ServiceError]) -> None:
    assert tuple(row_of(kind)) in {tuple(row) for row in (*ERRORS, *ADDED)}


def test_the_table_has_no_row_that_no_error_uses() -> None:
    used = {row_of(kind).code for kind in leaves()}
    assert used == {row.code for row in (*ERRORS, *ADDED)}


@pytest.mark.parametrize("error", [StoreUnreachable(), OutcomeUnknown(), InvoiceContended(), RequestInFlight()])
def test_what_may_work_later_says_when(error: ServiceError) -> None:
    assert answer_to(error).headers == {"Retry-After": str(RETRY_SECONDS)}


@pytest.mark.parametrize("error", [RateLimitReached(60, 17), MailLimitReached(10, "can be sent by one account", 17)])
def test_a_limit_says_when_it_ends(error: ServiceError) -> None:
    assert answer_to(error).headers == {"Retry-After": "17"}


def test_the_quota_ends_with_the_month() -> None:
    assert 0 < int(answer_to(QuotaReached(5)).headers["Retry-After"]) <= 31 * 24 * 3600


def test_a_caller_without_a_key_learns_how_to_send_one() -> None:
    assert answer_to(MissingApiKey()).headers == {"WWW-Authenticate": "Bearer"}


def test_a_wrong_method_names_the_right_ones() -> None:
    assert answer_to(MethodNotAllowed("GET, PATCH")).headers == {"Allow": "GET, PATCH"}


@pytest.mark.parametrize("error", [MailLimitReached(1, "at all", 17), MethodNotAllowed("GET"), StoreUnreachable()])
def test_an_error_from_another_process_has_the_same_answer(error: ServiceError) -> None:
    arrived = pickle.loads(pickle.dumps(error))  # noqa: S301 - made here
    assert answer_to(arrived) == answer_to(error)
    assert str(arrived) == str(error)


def test_the_domain_knows_no_status() -> None:
    assert not hasattr(StoreUnreachable(), "status")
    assert not issubclass(DocumentError, ServiceError)
