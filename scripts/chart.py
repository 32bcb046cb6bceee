"""Write what the Helm chart has from elsewhere: the schema and the defaults of its values, the Serve configuration, the
alarms, and the version and variables of Ray. `python -m scripts.chart` (make chart)."""

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

import yaml

from serve_app.keys.ray_environment import RAY_VARIABLES
from serve_app.manifests.values import Ingress, Values

ROOT = Path(__file__).resolve().parent.parent
CHART = ROOT / "deploy" / "helm" / "invoices"
_WRITTEN = "# Written by scripts/chart.py (make chart).\n"


def chart_files() -> dict[str, str]:
    """What is written, by the path in the chart."""
    constants = {
        "ray_version": version("ray"),
        "environment": RAY_VARIABLES,
        "ingress_annotations": _ingress_defaults()["annotations"],
    }
    return {
        "values.schema.json": json.dumps(_schema(), indent=1) + "\n",
        "values.yaml": _WRITTEN + yaml.safe_dump(_defaults(), sort_keys=False),
        "files/serve.yaml": (ROOT / "config" / "serve.yaml").read_text(),
        "files/rules.yaml": (ROOT / "deploy" / "observability" / "rules.yaml").read_text(),
        "files/constants.yaml": _WRITTEN + yaml.safe_dump(constants, sort_keys=False),
    }


def _schema() -> dict[str, Any]:
    schema = Values.model_json_schema()
    # Unset, it is the release's.
    schema["properties"]["namespace"] = {"anyOf": [schema["properties"]["namespace"], {"type": "null"}]}
    schema["properties"]["global"] = {"type": "object"}
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    return schema


def _defaults() -> dict[str, Any]:
    """Those of all values that have one. Of `ingress`, whose host has none, those of its other fields, but
    for the annotations: Helm would merge them with those that are given, which are to replace them."""
    fields = {name: field for name, field in Values.model_fields.items() if not field.is_required()}
    values = {name: field.get_default(call_default_factory=True) for name, field in fields.items()}
    plain: dict[str, Any] = Values.model_construct(**values).model_dump(mode="json", include=set(fields))
    plain["ingress"] = {name: value for name, value in _ingress_defaults().items() if name != "annotations"}
    return plain | {"namespace": None}


def _ingress_defaults() -> dict[str, Any]:
    return {name: field.default for name, field in Ingress.model_fields.items() if not field.is_required()}


if __name__ == "__main__":
    for path, text in chart_files().items():
        (CHART / path).write_text(text)
