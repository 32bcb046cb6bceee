"""`MAIL_FROM`: the sender of mail."""

from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP

from serve_app.domain.email_address import is_email_address


def parse_sender(text: str) -> Address:
    """Parse `invoices@example.com` or `Invoices <invoices@example.com>`. Raises ValueError if not a single address."""
    problem = ValueError("MAIL_FROM must be one address, such as: Invoices <invoices@example.com>")
    if not text.isprintable():
        raise problem
    message = EmailMessage(policy=SMTP)
    message["From"] = text
    header = message["From"]
    address: Address | None = header.addresses[0] if len(header.addresses) == 1 else None
    is_group = any(group.display_name is not None for group in header.groups)
    if header.defects or is_group or address is None or not is_email_address(address.addr_spec):
        raise problem
    return address
