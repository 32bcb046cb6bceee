"""`python scripts/dashboard.py` writes the dashboard for Grafana, deploy/observability/grafana.json, from this list."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FILE = Path(__file__).parents[1] / "deploy" / "observability" / "grafana.json"
WIDTH, HEIGHT = 8, 7
"""Of a panel; a row of the dashboard is 24 wide."""

Line = tuple[str, str]
"""An expression of Prometheus, and what the line is called."""


@dataclass(frozen=True)
class Panel:
    """A graph. `unit` is Grafana's name of it."""

    title: str
    unit: str
    lines: tuple[Line, ...]


def _rate(name: str, by: str) -> str:
    return f"sum by ({by}) (rate({name}[5m]))"


def _mean(name: str, by: str) -> str:
    return f"{_rate(f'{name}_sum', by)} / {_rate(f'{name}_count', by)}"


def _quantile(share: float, name: str) -> str:
    return f"histogram_quantile({share}, sum by (le) (rate({name}_bucket[5m])))"


def _share(name: str) -> str:
    return f"sum by (field) (increase({name}[1d])) / sum by (field) (increase(invoices_fields_total[1d]))"


ROWS: dict[str, tuple[Panel, ...]] = {
    "Queue": (
        Panel(
            "Documents in the queue",
            "short",
            (("max by (state, kind) (invoices_queue_documents)", "{{state}} {{kind}}"),),
        ),
        Panel("Pages that wait", "short", (("max by (kind) (invoices_queue_waiting_pages)", "{{kind}}"),)),
        Panel("Age of the oldest", "s", (("max by (state) (invoices_queue_oldest_seconds)", "{{state}}"),)),
        Panel(
            "From accepted to started",
            "s",
            tuple((_quantile(share, "invoices_start_seconds"), f"p{100 * share:.0f}") for share in (0.5, 0.95)),
        ),
        Panel(
            "From accepted to finished",
            "s",
            tuple((_quantile(share, "invoices_finish_seconds"), f"p{100 * share:.0f}") for share in (0.5, 0.95)),
        ),
        Panel("Documents accepted a second", "short", ((_rate("invoices_accepted_total", "source"), "{{source}}"),)),
    ),
    "Work": (
        Panel("Pages a second", "short", ((_rate("invoices_pages_total", "kind"), "{{kind}}"),)),
        Panel("Mean seconds of a stage", "s", ((_mean("invoices_stage_seconds", "stage"), "{{stage}}"),)),
        Panel("Busy workers of a stage", "short", ((_rate("invoices_stage_seconds_sum", "stage"), "{{stage}}"),)),
        Panel("Ends of runs a second", "short", ((_rate("invoices_runs_total", "end"), "{{end}}"),)),
        Panel(
            "Retries and lost workers a second",
            "short",
            (
                (_rate("invoices_retries_total", "needs"), "no {{needs}}"),
                ("sum(rate(invoices_lost_claims_total[5m]))", "lost"),
                (_rate("invoices_lost_readers_total", "cause"), "reader lost: {{cause}}"),
            ),
        ),
        Panel(
            "Waits",
            "s",
            (
                (_mean("invoices_reader_wait_seconds", "lane"), "for a reader: {{lane}}"),
                (_quantile(0.95, "invoices_held_call_seconds"), "held calls, p95"),
                ("sum(invoices_held_calls)", "held calls now (number)"),
            ),
        ),
    ),
    "Webhooks, mail and the store": (
        Panel("Deliveries due", "short", (("max(invoices_webhooks_due)", "due"),)),
        Panel(
            "Lag of webhooks",
            "s",
            (
                (_quantile(0.95, "invoices_webhook_lag_seconds"), "to the first attempt, p95"),
                ("max(invoices_webhooks_oldest_due_seconds)", "an endpoint waits"),
            ),
        ),
        Panel("Attempts a second", "short", ((_rate("invoices_webhook_attempts_total", "outcome"), "{{outcome}}"),)),
        Panel(
            "Mail",
            "short",
            (
                ("max(invoices_mails_due)", "due"),
                ("sum by (outcome) (increase(invoices_mails_total[1h]))", "in, an hour: {{outcome}}"),
                ("sum by (outcome) (increase(invoices_mails_sent_total[1h]))", "out, an hour: {{outcome}}"),
            ),
        ),
        Panel(
            "Watched folders",
            "short",
            (
                ("sum(invoices_watched_waiting_files)", "files waiting"),
                ("sum(invoices_watched_problem_folders)", "folders with a problem"),
                ("sum by (outcome) (increase(invoices_watched_files_total[1h]))", "files, an hour: {{outcome}}"),
            ),
        ),
        Panel("Mean seconds of the store", "s", ((_mean("invoices_store_seconds", "operation"), "{{operation}}"),)),
        Panel(
            "Calls of the store a second",
            "short",
            (
                (_rate("invoices_store_seconds_count", "operation"), "{{operation}}"),
                ("sum(rate(invoices_store_errors_total[5m]))", "failed"),
            ),
        ),
    ),
    "What is read": (
        Panel(
            "Share of high, by field (dashed: at calibration)",
            "percentunit",
            (
                (_share("invoices_fields_high_total"), "{{field}}"),
                ('max by (field) (invoices_fields_calibrated_ratio{share="high"})', "{{field}}, calibrated"),
            ),
        ),
        Panel(
            "Share on which the models agree (dashed: at calibration)",
            "percentunit",
            (
                (_share("invoices_fields_agreed_total"), "{{field}}"),
                ('max by (field) (invoices_fields_calibrated_ratio{share="agreed"})', "{{field}}, calibrated"),
            ),
        ),
        Panel(
            "Replicas by model",
            "short",
            (
                ("sum by (deployment, revision) (invoices_model_info)", "{{deployment}} {{revision}}"),
                ("max by (deployment) (invoices_model_refused)", "{{deployment}} refused"),
            ),
        ),
        Panel(
            "Documents read by two pairs, a second",
            "short",
            ((_rate("invoices_shadow_documents_total", "outcome"), "{{outcome}}"),),
        ),
        Panel(
            "Canary: share, and evidence against it (120 rolls it back)",
            "short",
            (
                ("max(invoices_canary_share_ratio)", "share"),
                ("max(invoices_canary_evidence)", "evidence"),
                ("max(invoices_canary_rolled_back)", "rolled back"),
            ),
        ),
    ),
    "Disks, backups, keys, clocks": (
        Panel("Free space", "bytes", (("min by (folder) (invoices_disk_free_bytes)", "{{folder}}"),)),
        Panel(
            "Age of backups and keys; time left for certificates",
            "s",
            (
                ("time() - max(invoices_backup_made_timestamp_seconds)", "last backup"),
                ("time() - max(invoices_backup_tested_timestamp_seconds)", "last restore drill"),
                ("time() - min by (key) (invoices_key_changed_timestamp_seconds)", "{{key}} key"),
                (
                    "min by (certificate) (invoices_certificate_expires_timestamp_seconds) - time()",
                    "certificate for {{certificate}}",
                ),
            ),
        ),
        Panel(
            "Clocks: ahead of the database's; 1: not kept right",
            "s",
            (
                ("max by (instance) (invoices_clock_offset_seconds)", "{{instance}}"),
                ("max by (instance) (invoices_clock_unkept)", "{{instance}} not kept right"),
            ),
        ),
    ),
    "Accounts of METRICS_ACCOUNTS": (
        Panel(
            "Documents of this month",
            "short",
            (("max by (account) (invoices_account_month_documents)", "{{account}}"),),
        ),
        Panel(
            "Pages of this month",
            "short",
            (("max by (account, kind) (invoices_account_month_pages)", "{{account}} {{kind}}"),),
        ),
        Panel(
            "Processor time of this month",
            "s",
            (("max by (account) (invoices_account_month_cpu_seconds)", "{{account}}"),),
        ),
        Panel(
            "Documents in the queue",
            "short",
            (("max by (account, state) (invoices_account_queue_documents)", "{{account}} {{state}}"),),
        ),
        Panel(
            "Calls refused by a limit, a second",
            "short",
            ((_rate("invoices_account_refused_total", "account, code"), "{{account}} {{code}}"),),
        ),
    ),
}


def dashboard() -> dict[str, Any]:
    """As Grafana imports it."""
    panels: list[dict[str, Any]] = []
    top = 0
    for title, row in ROWS.items():
        panels.append({"type": "row", "title": title, "id": len(panels) + 1, "gridPos": _place(0, top, 24, 1)})
        top += 1
        for number, panel in enumerate(row):
            place = _place(number % 3 * WIDTH, top + number // 3 * HEIGHT, WIDTH, HEIGHT)
            panels.append(_graph(panel, len(panels) + 1, place))
        top += -(-len(row) // 3) * HEIGHT
    source = {"name": "source", "label": "Prometheus", "type": "datasource", "query": "prometheus"}
    return {
        "title": "Invoice extraction",
        "uid": "invoice-extraction",
        "schemaVersion": 39,
        "timezone": "browser",
        "refresh": "30s",
        "time": {"from": "now-3h", "to": "now"},
        "templating": {"list": [source]},
        "panels": panels,
    }


def _place(x: int, y: int, width: int, height: int) -> dict[str, int]:
    return {"x": x, "y": y, "w": width, "h": height}


def _graph(panel: Panel, id: int, place: dict[str, int]) -> dict[str, Any]:
    source = {"type": "prometheus", "uid": "${source}"}
    dashed = {
        "matcher": {"id": "byRegexp", "options": ".*, calibrated"},
        "properties": [{"id": "custom.lineStyle", "value": {"fill": "dash", "dash": [8, 8]}}],
    }
    return {
        "type": "timeseries",
        "title": panel.title,
        "id": id,
        "gridPos": place,
        "datasource": source,
        "fieldConfig": {"defaults": {"unit": panel.unit, "min": 0}, "overrides": [dashed]},
        "options": {"legend": {"displayMode": "list", "placement": "bottom"}, "tooltip": {"mode": "multi"}},
        "targets": [
            {"refId": chr(ord("A") + index), "datasource": source, "expr": expression, "legendFormat": legend}
            for index, (expression, legend) in enumerate(panel.lines)
        ],
    }


def text() -> str:
    """The file's text."""
    return json.dumps(dashboard(), indent=1) + "\n"


if __name__ == "__main__":
    FILE.write_text(text())
