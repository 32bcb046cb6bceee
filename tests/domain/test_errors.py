"""Errors cross the borders of processes."""

import pickle

import pytest

from serve_app.domain.errors import DocumentError, RateLimitReached, ServiceError
from serve_app.domain.invoice import FailureCode


@pytest.mark.parametrize("error", [RateLimitReached(60, 7), DocumentError(FailureCode.NO_TEXT_FOUND, "no text")])
def test_an_error_arrives_as_it_was_sent(error: ServiceError | DocumentError) -> None:
    arrived = pickle.loads(pickle.dumps(error))  # noqa: S301 - made here
    assert type(arrived) is type(error)
    assert vars(arrived) == vars(error)
    assert str(arrived) == str(error)
