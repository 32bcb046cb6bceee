"""`MAIL_FROM`: whom mail comes from."""

from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP

from serve_app.domain.email_address import is_email_address


def parse_sender(text: str) -> Address:
    """From `invoices@example.com` or `Invoices <invoices@example.com>`. ValueError where it is no single address."""
    problem = ValueError("MAIL_FROM must be one address, like: Invoices <invoices@example.com>")
    if not text.isprintable():
        raise problem
    message = EmailMessage(policy=SMTP)
    message["From"] = text
    header = message["From"]
    if header.defects or len(header.addresses) != 1 or not is_email_address(header.addresses[0].addr_spec):
        raise problem
    address: Address = header.addresses[0]
    return address
