"""Errors of used-up limits."""

from decimal import Decimal

from serve_app.domain.errors.base import ServiceError


class LimitReached(ServiceError):
    """The caller has used up what it may have for now."""


class RateLimitReached(LimitReached):
    """More requests in this minute than the key may send; `retry_seconds` are left of it."""

    def __init__(self, limit: int, retry_seconds: int) -> None:
        super().__init__(limit, retry_seconds)
        self.message = f"This key has sent more than {limit} requests in a minute. Try again in {retry_seconds} s."
        self.retry_seconds = retry_seconds


class MailLimitReached(LimitReached):
    """As many approval mails as may be sent today; `whose` continues "mails a day", and `retry_seconds` are left of the
    day."""

    def __init__(self, limit: int, whose: str, retry_seconds: int) -> None:
        super().__init__(limit, whose, retry_seconds)
        self.message = (
            f"At most {limit} approval e-mails a day {whose}. Nothing was sent. Try again in {retry_seconds} s."
        )
        self.retry_seconds = retry_seconds


class MonthlyLimitReached(LimitReached):
    """The account can send no further documents in this calendar month."""


class QuotaReached(MonthlyLimitReached):
    """The account's extractions of this calendar month are used up."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.message = (
            f"The monthly quota of {limit} extractions is used up. It resets at the start of next month (UTC)."
        )


class BudgetReached(MonthlyLimitReached):
    """The account's budget of this calendar month is used up. `currency`: a code of ISO 4217."""

    def __init__(self, limit: Decimal, currency: str) -> None:
        super().__init__(limit, currency)
        self.message = (
            f"The monthly budget of {limit:.2f} {currency} is used up. It resets at the start of next month (UTC)."
        )
