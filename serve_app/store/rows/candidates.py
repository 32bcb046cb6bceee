"""Comparisons and canaries as rows, and back: the same in both stores."""

import json
from typing import Any
from uuid import UUID

from serve_app.domain.canary import Arm, Canary, CanaryRun, CanaryState
from serve_app.domain.comparison import Comparison, Difference, Right, Signs
from serve_app.store.rows.codec import from_micros, optional_micros, optional_moment, to_micros
from serve_app.store.rows.columns import Fields


def comparison_row(comparison: Comparison) -> dict[str, Any]:
    """Without the invoice's id, which each store names by itself."""
    signs = comparison.signs
    return {
        "account_id": str(comparison.account_id),
        "candidate": comparison.candidate,
        "at": to_micros(comparison.at),
        "is_answer": int(comparison.is_answer),
        # Only what has signs is evidence.
        "canary_id": str(comparison.canary_id) if comparison.canary_id and signs else None,
        "agreement": None if signs is None else signs.agreement,
        "high": None if signs is None else signs.high,
        "sums": None if signs is None else signs.sums,
        "differences": json.dumps(
            [[each.field, each.first, each.candidate, each.right] for each in comparison.differences]
        ),
    }


def comparison_from(row: Fields) -> Comparison:
    return Comparison(
        invoice_id=UUID(row["id"]),
        account_id=UUID(row["account_id"]),
        candidate=row["candidate"],
        at=from_micros(row["at"]),
        is_answer=bool(row["is_answer"]),
        canary_id=None if row["canary_id"] is None else UUID(row["canary_id"]),
        signs=None if row["agreement"] is None else signs_from(row),
        differences=tuple(
            Difference(field, first, candidate, None if right is None else Right(right))
            for field, first, candidate, right in json.loads(row["differences"])
        ),
    )


def signs_from(row: Fields) -> Signs:
    return Signs(row["agreement"], row["high"], row["sums"])


def canary_row(canary: Canary) -> dict[str, Any]:
    return {
        "id": str(canary.id),
        "pair": canary.pair,
        "share": canary.share,
        "started_at": to_micros(canary.started_at),
        "stepped_at": to_micros(canary.stepped_at),
        "accounts": None if canary.accounts is None else json.dumps(sorted(map(str, canary.accounts))),
        "steps_itself": int(canary.steps_itself),
        "state": str(canary.state),
        "ended_at": optional_micros(canary.ended_at),
        "reason": canary.reason,
        "evidence": json.dumps(dict(canary.evidence)),
        "revision": canary.revision,
    }


def canary_from(row: Fields) -> Canary:
    return Canary(
        id=UUID(row["id"]),
        pair=row["pair"],
        share=row["share"],
        started_at=from_micros(row["started_at"]),
        stepped_at=from_micros(row["stepped_at"]),
        accounts=None if row["accounts"] is None else frozenset(map(UUID, json.loads(row["accounts"]))),
        steps_itself=bool(row["steps_itself"]),
        state=CanaryState(row["state"]),
        ended_at=optional_moment(row["ended_at"]),
        reason=row["reason"],
        evidence=json.loads(row["evidence"]),
        revision=row["revision"],
    )


def without_account(accounts: str, account_id: str) -> str:
    """The accounts of a canary's row without one that was erased."""
    return json.dumps([each for each in json.loads(accounts) if each != account_id])


def run_row(run: CanaryRun) -> dict[str, Any]:
    """Without the invoice's id."""
    return {
        "account_id": str(run.account_id),
        "canary_id": str(run.canary_id),
        "at": to_micros(run.at),
        "arm": str(run.arm),
        "failed": int(run.failed),
        "seconds": run.seconds,
        "decided_at": optional_micros(run.decided_at),
        "corrected": int(run.corrected),
    }


def run_from(row: Fields) -> CanaryRun:
    return CanaryRun(
        canary_id=UUID(row["canary_id"]),
        invoice_id=UUID(row["id"]),
        account_id=UUID(row["account_id"]),
        at=from_micros(row["at"]),
        arm=Arm(row["arm"]),
        failed=bool(row["failed"]),
        seconds=row["seconds"],
        decided_at=optional_moment(row["decided_at"]),
        corrected=bool(row["corrected"]),
    )
