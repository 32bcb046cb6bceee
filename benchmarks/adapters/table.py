"""The figures of every kind as a table for docs/experiments/2026-11-23-model-kinds.md."""

from collections.abc import Sequence
from typing import Any

HEAD = "| Kind | Parameters | Documents/s | Loss | F1 | Values, of them `high` | Loads, s | Pages/s | Peak MiB | Load |"


def table(rows: Sequence[dict[str, Any]]) -> str:
    """One row a kind; what failed stands where its figures would."""
    lines = [_line(row) for row in rows]
    return "\n".join([HEAD, "|---" * HEAD.count(" | ") + "|---|", *lines])


def _line(row: dict[str, Any]) -> str:
    small = row.get("serve") or row.get("chat")
    cells = [row["kind"], *_trained(row.get("train") or row.get("chat")), *_calibrated(row.get("calibrate"))]
    cells += [f"{small['load_seconds']:.1f}" if small else "", *_served(small), f"{row['load']:.1f}"]
    return f"| {' | '.join(cells)} |" + (f" {row['failed']}" if "failed" in row else "")


def _trained(row: dict[str, Any] | None) -> list[str]:
    if row is None:
        return [""] * 4
    losses = f"{row['first_loss']:.2f} to {row['last_loss']:.2f}"
    return [f"{row['parameters'] / 1e6:.1f} M", f"{row['documents_a_second']:.1f}", losses, f"{row['f1']:.2f}"]


def _calibrated(row: dict[str, Any] | None) -> list[str]:
    return [f"{row['values']}, {row['high']}" if row else ""]


def _served(row: dict[str, Any] | None) -> list[str]:
    return [f"{row['pages_a_second']:.1f}", f"{row['peak_mib']:.0f}"] if row else ["", ""]
