"""Builds the service that asks for approval by e-mail."""

from serve_app.domain.approval_mail import MailLimits
from serve_app.domain.clock import Clock, utc_now
from serve_app.keys.ring import Keys
from serve_app.mail.approval import ComposeApproval
from serve_app.mail.factory import sender_of
from serve_app.services.approval.mail_allowance import MailAllowance
from serve_app.services.approval.service import ApprovalService
from serve_app.services.ports import Mailer
from serve_app.settings import Settings
from serve_app.store.base import Store


def build_approvals(
    store: Store, settings: Settings, mailer: Mailer, signing_keys: Keys, clock: Clock = utc_now
) -> ApprovalService:
    """Asks for approvals and takes decisions. Raises ValueError if the sender of mail cannot be used."""
    limits = MailLimits(settings.approval_mails_per_account, settings.approval_mails_per_recipient)
    allowance = MailAllowance(store.approval_mails, limits, clock)
    compose = ComposeApproval(sender_of(settings))
    return ApprovalService(store.invoices, allowance, mailer, compose, signing_keys, clock)
