"""What promoting a version needs, and what it says."""

import json
from pathlib import Path
from typing import Any

import yaml

from models.gate.digest import digest_of
from models.registry.resolve import resolved_version


def passed_gate(version: str, path: Path) -> Path:
    """A verdict that this version has passed, without having been measured."""
    digest = digest_of(resolved_version(f"registry://{version}"))
    path.write_text(json.dumps({"passed": True, "digest": digest}))
    return path


def user_config_of(output: str) -> dict[str, Any]:
    """What `invoices models promote` or `rollback` says is to be deployed."""
    config: dict[str, Any] = yaml.safe_load(output.partition("Deploy it with\n")[2])["user_config"]
    return config
