"""The services about mails that come in."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from serve_app.domain.mail_reachability import Finding
from serve_app.services.mailroom.addresses import AddressService
from serve_app.services.mailroom.mails import MailService
from serve_app.services.mailroom.reception import Reception
from serve_app.services.mailroom.results import MailResults
from serve_app.services.mailroom.trial import MailTrials


@dataclass(frozen=True, slots=True)
class Mailroom:
    """Built once by `serve_app.wiring`."""

    reception: Reception
    addresses: AddressService
    mails: MailService
    results: MailResults
    trials: MailTrials
    reach: Callable[[], Awaitable[list[Finding]]]
    """Looks whether mails from outside arrive."""
