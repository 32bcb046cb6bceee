"""Words and problems of mails that an earlier version stored, which had neither: written once for the database."""

import logging

from pymongo import ASCENDING

from serve_app.domain.inbound_mail import MailState
from serve_app.domain.invoice import Invoice
from serve_app.domain.mail_result import invoices_of, result_of
from serve_app.store.mongo.engine.types import Collections, Row, named
from serve_app.store.mongo.invoices.codec import invoice_from
from serve_app.store.rows.mails import mail_from, mail_row

_DONE = {"_id": "words and problems of mails"}
_UNFILLED: Row = {"words": {"$exists": False}}
_BATCH = 1000

log = logging.getLogger(__name__)


async def fill_mail_words(collections: Collections) -> None:
    """Fill in what mails are found by, unless that is done; can be repeated, and be done by several processes at the
    same time."""
    if await collections.upgrades.find_one(_DONE) is not None:
        return
    filled, rows = 0, await _next(collections, "")
    while rows:
        filled += sum([await _fill(collections, row) for row in rows])
        rows = await _next(collections, rows[-1]["_id"])
    await collections.upgrades.update_one(_DONE, {"$set": {"mails": filled}}, upsert=True)
    log.info("words and problems of mails filled in", extra={"mails": filled})


async def _next(collections: Collections, after: str) -> list[Row]:
    found = collections.mails.find({"_id": {"$gt": after}, **_UNFILLED})
    return await found.sort("_id", ASCENDING).limit(_BATCH).to_list(None)


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
