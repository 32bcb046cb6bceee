"""What rows of both stores are decoded to. A row is anything with named values: a database's own row, or a document
whose `_id` is called `id` and whose missing fields have their defaults."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import date
from decimal import Decimal
from typing import Any, Protocol
from uuid import UUID

from serve_app.domain.account import CONTRACT_PLANS, USUAL_LIMITS, Account, AccountLimits, ApiKey, Plan, Scope
from serve_app.domain.api_call import ApiCall
from serve_app.domain.event import EventType, LoggedEvent
from serve_app.domain.idempotency import IdempotencyRecord, StoredAnswer
from serve_app.domain.target_precision import TargetPrecision
from serve_app.domain.usage import UsageSums
from serve_app.domain.vendor import IdentifierKind, MonthSpend, Vendor, VendorIdentifier, domains_of
from serve_app.store.rows.codec import from_micros, optional_micros, optional_moment, to_micros


class Fields(Protocol):
    """Values by name."""

    def __getitem__(self, name: str, /) -> Any: ...


def account_from(row: Fields) -> Account:
    """The account of a full row, with the limits of its plan as `plan_limits`."""
    target = row["target_precision"]
    return Account(
        UUID(row["id"]),
        _plan_from(row["plan"], row["plan_limits"]),
        from_micros(row["created_at"]),
        row["email"],
        None if target is None else TargetPrecision(target),
        limits_from(row["limits"]),
        optional_moment(row["suspended_at"]),
    )


def _plan_from(name: str, limits: str | None) -> Plan:
    """The plan as it is stored, or the contract's. One that was removed while an account chose it allows what the free
    one does."""
    if limits is not None:
        return plan_from(name, limits)
    return CONTRACT_PLANS.get(name) or Plan(name, Plan.FREE.limits)


def plan_from(name: str, limits: str) -> Plan:
    """A plan of an operator."""
    return Plan(name, limits_from(limits))


def account_row(account: Account) -> dict[str, Any]:
    """Its full row."""
    return {
        "id": str(account.id),
        "plan": account.plan.name,
        "created_at": to_micros(account.created_at),
        "email": account.email,
        "target_precision": account.target_precision and float(account.target_precision),
        "limits": limits_text(account.limits),
        "suspended_at": optional_micros(account.suspended_at),
    }


def usage_from(row: Fields) -> UsageSums:
    """The sums of an account's month."""
    return UsageSums(*(int(row[name]) for name in UsageSums._fields))


def limits_from(text: str | None) -> AccountLimits:
    """An account's own limits; None: it has none."""
    values = {} if text is None else json.loads(text)
    budget = values.pop("budget_per_month", None)
    return AccountLimits(**values, budget_per_month=None if budget is None else Decimal(budget))


def limits_text(limits: AccountLimits) -> str | None:
    """The same as stored: those that are set."""
    return None if limits == USUAL_LIMITS else plan_text(limits)


def plan_text(limits: AccountLimits) -> str:
    """The limits of a plan as stored: those that are set."""
    return json.dumps({name: value for name, value in asdict(limits).items() if value is not None}, default=str)


def key_from(row: Fields) -> ApiKey:
    """The API key of a full row."""
    return ApiKey(
        id=UUID(row["id"]),
        account_id=UUID(row["account_id"]),
        name=row["name"],
        prefix=row["prefix"],
        scope=Scope(row["scope"]),
        hash=row["hash"],
        created_at=from_micros(row["created_at"]),
        revoked_at=optional_moment(row["revoked_at"]),
        last_used_on=None if row["last_used_on"] is None else date.fromisoformat(row["last_used_on"]),
    )


def call_fields(call: ApiCall) -> dict[str, Any]:
    """The fields of the row of a call, without its slot."""
    ids = {"id": str(call.id), "account_id": str(call.account_id), "key_id": str(call.key_id)}
    values = {name: getattr(call, name) for name in ("request_id", "method", "path", "status", "code", "milliseconds")}
    return ids | values | {"at": to_micros(call.at)}


def calls_by_account(calls: Iterable[ApiCall]) -> Mapping[UUID, list[ApiCall]]:
    """The calls of each account, in their order."""
    found: dict[UUID, list[ApiCall]] = {}
    for call in calls:
        found.setdefault(call.account_id, []).append(call)
    return found


def call_from(row: Fields) -> ApiCall:
    """The call of a full row."""
    return ApiCall(
        id=UUID(row["id"]),
        account_id=UUID(row["account_id"]),
        key_id=UUID(row["key_id"]),
        request_id=row["request_id"],
        at=from_micros(row["at"]),
        method=row["method"],
        path=row["path"],
        status=row["status"],
        code=row["code"],
        milliseconds=row["milliseconds"],
    )


def idempotency_record_from(row: Fields) -> IdempotencyRecord:
    """What an idempotency key stands for."""
    return IdempotencyRecord(
        account_id=UUID(row["account_id"]),
        key=row["key"],
        invoice_id=UUID(row["invoice_id"]),
        holder=UUID(row["holder"]),
        created_at=from_micros(row["created_at"]),
        held_since=from_micros(row["held_since"]),
        answer=None if row["status"] is None else StoredAnswer(row["status"], row["body"]),
        fingerprint=row["fingerprint"],
    )


def event_from(row: Fields) -> LoggedEvent:
    """The event of a full row of the log."""
    return LoggedEvent(
        id=row["id"],
        account_id=UUID(row["account_id"]),
        type=EventType(row["type"]),
        created_at=from_micros(row["created_at"]),
        payload=row["payload"],
    )


def vendor_from(row: Fields) -> Vendor:
    """The vendor of a full row."""
    return Vendor(
        id=row["id"],
        name=row["called"] or row["name"],
        invoice_count=row["invoice_count"],
        total_billed=row["total"],
        last_seen_at=row["last_seen"],
        website=row["website"],
        email=row["email"],
        phone=row["phone"],
    )


def identifiers_of(rows: Iterable[Mapping[str, Any]]) -> Mapping[UUID, list[VendorIdentifier]]:
    """The identifiers of each vendor, from rows of `vendor_id`, `iban`, `tax_number`, `website`, `email`, the `first`
    and `last` day and the `number` of invoices that have all these."""
    found: dict[UUID, dict[tuple[IdentifierKind, str], VendorIdentifier]] = {}
    for row in rows:
        known = found.setdefault(UUID(row["vendor_id"]), {})
        for kind, value in _printed(row):
            known[kind, value] = _also_seen(known.get((kind, value)), kind, value, row)
    order = list(IdentifierKind).index
    return {
        vendor: sorted(known.values(), key=lambda each: (order(each.kind), -each.last_seen_at.toordinal(), each.value))
        for vendor, known in found.items()
    }


def _printed(row: Mapping[str, Any]) -> Iterable[tuple[IdentifierKind, str]]:
    single = ((IdentifierKind.TAX_NUMBER, row["tax_number"]), (IdentifierKind.IBAN, row["iban"]))
    yield from ((kind, value) for kind, value in single if value)
    yield from ((IdentifierKind.DOMAIN, domain) for domain in domains_of(row["website"], row["email"]))


def _also_seen(
    known: VendorIdentifier | None, kind: IdentifierKind, value: str, row: Mapping[str, Any]
) -> VendorIdentifier:
    first, last = date.fromisoformat(row["first"]), date.fromisoformat(row["last"])
    number = int(row["number"])
    if known is not None:
        first, last = min(first, known.first_seen_at), max(last, known.last_seen_at)
        number += known.invoices
    return VendorIdentifier(kind=kind, value=value, invoices=number, first_seen_at=first, last_seen_at=last)


def month_spends(rows: Iterable[tuple[str, str, str | None, int, Decimal]]) -> Mapping[UUID, list[MonthSpend]]:
    """The sums of rows of vendor, month (`2026-05`), currency, number of invoices and amount."""
    sums: dict[tuple[str, str, str], tuple[int, Decimal]] = {}
    for vendor, month, currency, invoices, amount in rows:
        count, total = sums.get((vendor, month, currency or ""), (0, Decimal(0)))
        sums[vendor, month, currency or ""] = count + invoices, total + amount
    found: dict[UUID, list[MonthSpend]] = {}
    for (vendor, month, currency), (count, total) in sorted(sums.items()):
        spend = MonthSpend(date.fromisoformat(f"{month}-01"), currency or None, count, total)
        found.setdefault(UUID(vendor), []).append(spend)
    return found
