"""The statement for a page of invoices, and the choice of its index: SQLite has no statistics of the rows, so it cannot
know which filter leaves few of them."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from serve_app.domain.invoice import Confidence, Source, Status
from serve_app.domain.query import InvoiceQuery, Order, Position, ReviewFilter, SortKey
from serve_app.store.sqlite.invoices.filters import invoice_conditions
from serve_app.store.sqlite.invoices.text_search import MAY_MATCH

_LISTED = "invoices_listed"
# That of the primary key.
_BY_ID = "sqlite_autoindex_invoices_1"
# A filter of these leaves few invoices, whatever else is asked for: the first one that is given is used.
_NARROW = {
    "ids": _BY_ID,
    "order_id": _BY_ID,
    "custom": _BY_ID,
    "batch": "invoices_of_file",
    "invoice_number": "invoices_by_number",
    "entity_tag": "invoices_by_tag",
    "vendor_id": "invoices_by_vendor",
    "approval_status": "invoices_by_approval",
    "has_alerts": "invoices_with_alerts",
    "to_check": "invoices_to_check",
    "order_match": "invoices_by_order_match",
    "duplicate": "invoices_repeated",
    "review": "invoices_by_review",
    "models": "invoices_by_models",
    "level": "invoices_by_level",
    "overdue": "invoices_unpaid",
    "source": "invoices_from_{source}",
    "status": "invoices_by_status",
    "updated_after": "invoices_in_order_of_change",
    "updated_before": "invoices_in_order_of_change",
}
# Most invoices may pass these: their indexes help only if nothing else is asked for.
_WIDE = {
    "currency": "invoices_by_currency",
    "status": "invoices_by_status",
    "level": "invoices_by_level",
    "review": "invoices_by_review",
}
_ISSUED = {"issued_after", "issued_before"}

_ORDERS = {
    SortKey.AMOUNT: ("amount", "invoices_in_order_of_amount"),
    SortKey.DUE: ("due_at", "invoices_in_order_of_due_date"),
    SortKey.ISSUED: ("issued_at", "invoices_in_order_of_issue_date"),
    SortKey.VENDOR: ("vendor_folded", "invoices_in_order_of_vendor"),
    SortKey.UPDATED: ("updated_at", "invoices_in_order_of_change"),
}
_NUMBERS: dict[SortKey, Callable[[str], float]] = {SortKey.AMOUNT: float, SortKey.UPDATED: int}
"""How values are read that are no texts in their column."""

SUM_UNITS = 10_000
"""In how many units of one the statement for sums counts: no currency has more than four decimals."""
# After every id, and around every date.
_AFTER_ALL, _FIRST_DAY, _LAST_DAY = "g", "", "9999-99-99"
# The index has the invoices of each day in the order of the list. However many there are, only the days are walked
# through: those of a page are merged from the newest invoice of each day, which makes room for the day's next one.
_BY_ISSUE_DATE = """
    WITH RECURSIVE days (day) AS (
        SELECT min(issued_at) FROM invoices INDEXED BY invoices_by_issue_date
        WHERE account_id = :account AND issued_at > :issued_after AND issued_at < :issued_before
        UNION ALL
        SELECT (
            SELECT min(issued_at) FROM invoices INDEXED BY invoices_by_issue_date
            WHERE account_id = :account AND issued_at > day AND issued_at < :issued_before
        ) FROM days WHERE day IS NOT NULL
    ), merged (id, day) AS (
        SELECT (
            SELECT max(id) FROM invoices INDEXED BY invoices_by_issue_date
            WHERE account_id = :account AND issued_at = day AND id < :after
        ), day FROM days WHERE day IS NOT NULL
        UNION ALL
        SELECT (
            SELECT max(id) FROM invoices INDEXED BY invoices_by_issue_date
            WHERE account_id = :account AND issued_at = day AND id < merged.id
        ), day FROM merged WHERE id IS NOT NULL
        ORDER BY 1 DESC LIMIT :limit
    )
    SELECT id FROM merged WHERE id IS NOT NULL
"""


def invoice_page(
    account_id: UUID, query: InvoiceQuery, limit: int, after: UUID | None, trigrams: str | None = None
) -> tuple[str, dict[str, Any]]:
    """The statement for up to `limit` matching rows, newest first, and the values that it names; with `trigrams`, it
    looks at those alone that have them."""
    ids, values = _ids_of_page(account_id, query, limit, after, trigrams)
    return _whole_rows(ids), values


def sorted_ids(
    account_id: UUID,
    query: InvoiceQuery,
    order: Order,
    limit: int,
    after: Position | None,
    *,
    have_value: bool,
    trigrams: str | None = None,
) -> tuple[str, dict[str, Any]]:
    """The statement for the ids of up to `limit` matching rows after a position: of those that have a value to sort by,
    or of the others. What leaves few is found by its own index, and sorted then."""
    conditions, values = invoice_conditions(account_id, query)
    column, index = _ORDERS[order.key]
    sign, way = ("<", "DESC") if order.descending else (">", "ASC")
    conditions += ["account_id = :account", f"{column} IS {'NOT ' if have_value else ''}NULL"]
    values |= {"account": str(account_id), "limit": limit}
    if after is not None:
        conditions.append(f"({column}, id) {sign} (:value, :after)" if have_value else f"id {sign} :after")
        read = _NUMBERS.get(order.key, str)
        values |= {"value": None if after.value is None else read(after.value), "after": str(after.id)}
    if trigrams is not None:
        conditions.append(MAY_MATCH)
        values["trigrams"] = trigrams
        index = _BY_ID
    else:
        index = _narrow_index(query, _filtered_columns(query)) or index
    ordered = f"{column} {way}, id {way}" if have_value else f"id {way}"
    where = " AND ".join(conditions)
    ids = f"SELECT id FROM invoices INDEXED BY {index} WHERE {where} ORDER BY {ordered} LIMIT :limit"  # noqa: S608
    return ids, values


def invoice_totals(
    account_id: UUID, query: InvoiceQuery, at_most: int, trigrams: str | None = None
) -> tuple[str, dict[str, Any]]:
    """The statement for the sums of the newest `at_most` matching rows by currency, in 1/10,000 of the currency: whole
    numbers, which add up exactly."""
    ids, values = _ids_of_page(account_id, query, at_most, None, trigrams)
    found = ids.replace("SELECT id FROM invoices", "SELECT id, currency, amount FROM invoices", 1)
    if found == ids:
        found = f"SELECT currency, amount FROM invoices WHERE id IN ({ids})"  # noqa: S608
    sums = f"SELECT currency, count(*) AS count, sum(CAST(round(amount * {SUM_UNITS}) AS INTEGER)) AS amount"
    return f"{sums} FROM ({found}) GROUP BY currency ORDER BY count(*) DESC, currency", values


def _ids_of_page(
    account_id: UUID, query: InvoiceQuery, limit: int, after: UUID | None, trigrams: str | None
) -> tuple[str, dict[str, Any]]:
    conditions, values = invoice_conditions(account_id, query)
    filtered = _filtered_columns(query)
    values |= {"account": str(account_id), "limit": limit, "after": _AFTER_ALL if after is None else str(after)}
    if filtered and filtered <= _ISSUED:
        values["issued_after"] = values["issued_after"] or _FIRST_DAY
        values["issued_before"] = values["issued_before"] or _LAST_DAY
        return _BY_ISSUE_DATE, values
    if trigrams is not None:
        conditions.append(MAY_MATCH)
        values["trigrams"] = trigrams
    where = " AND ".join(["account_id = :account", "id < :after", *conditions])
    index = _index_for(query, filtered) if trigrams is None else _BY_ID
    # Built from constants; the values are bound.
    ids = f"SELECT id FROM invoices INDEXED BY {index} WHERE {where} ORDER BY id DESC LIMIT :limit"  # noqa: S608
    return ids, values


def _filtered_columns(query: InvoiceQuery) -> set[str]:
    """The names of the filters that are given."""
    return {name for name in InvoiceQuery.__slots__ if getattr(query, name) is not None} - {"overdue_on"}


def _index_for(query: InvoiceQuery, filtered: set[str]) -> str:
    (alone,) = filtered if len(filtered) == 1 and query.review is not ReviewFilter.NOT_REJECTED else ("",)
    return _narrow_index(query, filtered) or _WIDE.get(alone, _LISTED)


def _narrow_index(query: InvoiceQuery, filtered: set[str]) -> str | None:
    narrow = [name for name in _NARROW if name in filtered and _is_narrow(query, name)]
    return _NARROW[narrow[0]].format(source=query.source) if narrow else None


def _is_narrow(query: InvoiceQuery, name: str) -> bool:
    """Not what most invoices are: complete, sent by the API, not rejected, and no duplicates."""
    if name == "status":
        return query.status is not Status.COMPLETE
    if name == "source":
        return query.source is not Source.API
    if name == "review":
        return query.review is ReviewFilter.REJECTED
    if name == "level":
        return query.level is Confidence.LOW
    return name not in ("duplicate", "has_alerts", "to_check", "overdue") or getattr(query, name) is True


def _whole_rows(ids: str) -> str:
    """The rows with the ids that the statement finds: they are read only once they are known to be on the page."""
    return f"SELECT * FROM invoices WHERE id IN ({ids}) ORDER BY id DESC"  # noqa: S608
