"""The alarms of deploy/observability/rules.yaml, for Prometheus' operator."""

import yaml

from serve_app.manifests.cluster_resources import monitoring_object
from serve_app.manifests.objects import Object
from serve_app.manifests.values import Values
from serve_app.system.shipped_files import ALARM_RULES

DOCS_URL = "https://docs.example.com"
"""Stands in the rules for the site of the documentation."""


def alarm_rules(values: Values) -> Object:
    """The same groups; links to the runbook lead to the site that the values name, or are left out."""
    text = ALARM_RULES.read_text(encoding="utf-8")
    spec: Object = yaml.safe_load(text.replace(DOCS_URL, values.docs_url or DOCS_URL))
    if not values.docs_url:
        for rule in (rule for group in spec["groups"] for rule in group["rules"]):
            rule["annotations"].pop("runbook_url", None)
    return monitoring_object(values, "PrometheusRule", f"{values.name}-alarms", spec)
