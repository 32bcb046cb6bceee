"""Paces as both stores keep them."""

from serve_app.domain.load import PageKind
from serve_app.domain.pace import Costs, Pace, Stage
from serve_app.store.rows.codec import from_micros
from serve_app.store.rows.columns import Fields


def costs_of(costs: Costs) -> dict[str, float]:
    """The costs by name, such as `read/scan`."""
    return {f"{stage}/{kind}": seconds for (stage, kind), seconds in costs.items()}


def pace_from(row: Fields, costs: dict[str, float]) -> Pace:
    """The pace of a full row and its costs by name."""
    found = {}
    for name, seconds in costs.items():
        stage, _, kind = name.partition("/")
        found[Stage(stage), PageKind(kind)] = seconds
    return Pace(row["id"], from_micros(row["at"]), found, row["speed"])
