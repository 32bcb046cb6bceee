"""Requests per second of some endpoints, compared with a handler that does nothing."""

import statistics
from dataclasses import dataclass

from benchmarks.api.seed import Seeded
from benchmarks.api.wrk import Rate, load
from benchmarks.store.report import table

TRIVIAL = "GET /livez"
AIM = 0.6
"""Of the trivial handler's rate, for one invoice and for `me`."""
_CONNECTIONS = 16
_ROUNDS = 3
_WARM_UP_S = 2


@dataclass(frozen=True, slots=True)
class Measured:
    """An endpoint's rounds, and its rate as a share of the trivial handler's."""

    name: str
    rate: Rate
    share: float
    has_aim: bool

    @property
    def is_kept(self) -> bool:
        return self.rate.failed == 0 and (not self.has_aim or self.share >= AIM)


def measure_rates(url: str, seeded: Seeded, seconds: int) -> list[Measured]:
    """Every endpoint in turn, in three rounds of `seconds` each; the medians of the rounds."""
    paths = {
        TRIVIAL: "/livez",
        "GET /v1/me": "/v1/me",
        "GET /v1/invoices/{id}": f"/v1/invoices/{seeded.invoice_id}",
        "GET /v1/invoices (25 of 1,000)": "/v1/invoices",
    }
    headers = {"Authorization": f"Bearer {seeded.key}"}
    for path in paths.values():
        load(url + path, _WARM_UP_S, _CONNECTIONS, headers)
    rounds = [
        {name: load(url + path, seconds, _CONNECTIONS, headers) for name, path in paths.items()} for _ in range(_ROUNDS)
    ]
    rates = {name: _median([rate[name] for rate in rounds]) for name in paths}
    trivial = rates[TRIVIAL].per_second
    aimed = {"GET /v1/me", "GET /v1/invoices/{id}"}
    return [Measured(name, rate, rate.per_second / trivial, name in aimed) for name, rate in rates.items()]


def _median(rates: list[Rate]) -> Rate:
    return Rate(
        per_second=statistics.median(rate.per_second for rate in rates),
        p50_ms=statistics.median(rate.p50_ms for rate in rates),
        p99_ms=statistics.median(rate.p99_ms for rate in rates),
        failed=sum(rate.failed for rate in rates),
    )


def rates_table(measured: list[Measured]) -> list[str]:
    """The figures in Markdown."""
    rows = [
        (
            f"`{measurement.name}`",
            f"{measurement.rate.per_second:,.0f}",
            f"{measurement.share:.0%}{'' if measurement.is_kept else ' (MISSED)'}",
            f"{measurement.rate.p50_ms:.1f}",
            f"{measurement.rate.p99_ms:.1f}",
            measurement.rate.failed,
        )
        for measurement in measured
    ]
    head = ("16 connections", "requests/s", "of trivial", "p50 ms", "p99 ms", "failed")
    return table(head, rows)
