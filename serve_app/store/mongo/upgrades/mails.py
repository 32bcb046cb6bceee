"""What mails that earlier versions wrote lack."""

from serve_app.domain.inbound_mail import MailState
from serve_app.domain.invoice import Invoice
from serve_app.domain.mail_result import invoices_of, result_of
from serve_app.store.mongo.engine.types import Collections, Row, named
from serve_app.store.mongo.invoices.codec import invoice_from
from serve_app.store.mongo.upgrades.fill import Fill
from serve_app.store.rows.mails import mail_from, mail_row

_UNFILLED: Row = {"words": {"$exists": False}}


async def _fill(collections: Collections, row: Row) -> int:
    mail = mail_from({"problems": 0} | named(row), row["document"])
    problems = 0
    if mail.state is MailState.DONE and not mail.is_settled:
        invoices = await _invoices(collections, row["account_id"], [str(each) for each in invoices_of(mail)])
        problems = len(result_of(mail, invoices).problems)
    # No match: the mail was changed meanwhile, and has both already.
    this = {"_id": row["_id"], "account_id": row["account_id"], **_UNFILLED}
    values = {"words": mail_row(mail)["words"], "problems": problems}
    return (await collections.mails.update_one(this, {"$set": values})).matched_count


async def _invoices(collections: Collections, account_id: str, ids: list[str]) -> list[Invoice]:
    if not ids:
        return []
    rows = await collections.invoices.find({"account_id": account_id, "_id": {"$in": ids}}).to_list(None)
    return [invoice_from(row) for row in rows]


WORDS = Fill(done="words and problems of mails", collection="mails", lacking=_UNFILLED, change=_fill)
"""What they are found by."""
