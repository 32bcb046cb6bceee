"""What must hold of the mails of a run: those that were accepted against the store's rows and files."""

from collections import Counter

from benchmarks.faults.ledger import Ledger
from benchmarks.faults.lines import Line, listed, promise
from benchmarks.faults.store_contents import StoreContents
from serve_app.domain.inbound_mail import MailState, Outcome


def audit_mails(ledger: Ledger, contents: StoreContents) -> list[Line]:
    """All lines about mails; none if there were none."""
    if not ledger.mailed:
        return []
    accepted, found = Counter(ledger.mailed), Counter(mail.message_id for mail in contents.mails)
    invoices = Counter(invoice.name for invoice in contents.invoices if invoice.is_first)
    linked = Counter(id for mail in contents.mails for outcome, id in mail.parts if outcome == Outcome.INVOICE)
    there = {invoice.id: invoice for invoice in contents.invoices}
    kept = {mail.file_key for mail in contents.mails if mail.has_raw}
    return [
        Line("mails accepted, with invoices", f"{accepted.total()}, {len(ledger.mailed_names)}"),
        Line("mails without acceptance, sent again", f"{ledger.mail_tries.total()}: {listed(ledger.mail_tries)}"),
        promise("mails lost: accepted and not in the store", sorted(accepted.keys() - found.keys())),
        promise("mails doubled", [id or "" for id, rows in found.items() if rows > 1]),
        promise("mails that are not done", [mail.id for mail in contents.mails if mail.state != MailState.DONE]),
        promise("invoices of mails lost", [name for name in ledger.mailed_names if not invoices[name]]),
        promise("invoices of mails doubled", [name for name in ledger.mailed_names if invoices[name] > 1]),
        promise("parts of mails without their invoice", [str(id) for id in linked if id not in there]),
        promise("files of mails without a mail", sorted(contents.mail_files - kept)),
        promise("mails without their file", sorted(kept - contents.mail_files)),
    ]
