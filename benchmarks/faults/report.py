"""What is printed of a run, in Markdown."""

from benchmarks.faults.audit import table
from benchmarks.faults.lines import Line
from benchmarks.faults.storm import StormResult


def storm_report(result: StormResult) -> list[str]:
    """The ledger of a run."""
    storm, ledger = result.storm, result.ledger
    return [
        f"### Seed {storm.seed}: {storm.documents} documents, {storm.mails} mails, {storm.clients} clients,"
        f" {result.seconds:.0f} s",
        "",
        "| killed (SIGKILL) or frozen (SIGSTOP) | times | documents queued or in work then, together |",
        "|---|---|---|",
        *(f"| {name} | {count} | {ledger.hit[name]} |" for name, count in sorted(ledger.kills.items())),
        "",
        *table(result.lines),
        "",
    ]


def fault_report(name: str, lines: list[Line]) -> list[str]:
    """What a fault of the machine did."""
    return [f"### {name}", "", *table(lines), ""]
