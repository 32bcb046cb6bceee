"""The software bill of materials: the packages of the lock files, with hashes and licences (CycloneDX 1.6).

`python -m scripts.release.sbom FILE` writes it (make sbom).
"""

import json
import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

_LOCKS = ("requirements.lock", "requirements-torch.lock")
_LONGEST_NAME = 80
_ROOT = Path(__file__).parents[2]


def write_sbom(root: Path, out: Path, environment: dict[str, str]) -> None:
    """Write the bill of what the service runs with to `out`. Raises ValueError if it is not valid."""
    locked = "".join((root / name).read_text() for name in _LOCKS)
    command = [sys.executable, "-W", "ignore", "-m", "cyclonedx_py", "requirements", "--output-reproducible"]
    made = subprocess.run(
        [*command, "--pyproject", str(root / "pyproject.toml"), "-"],
        input=locked,
        text=True,
        stdout=subprocess.PIPE,
        env=environment,
        check=True,
    )
    bill = json.loads(made.stdout)
    for component in bill["components"]:
        # The line of the lock file, which says what the other fields say.
        del component["description"]
        if licences := licences_of(component["name"]):
            component["licenses"] = licences
    text = json.dumps(bill, indent=1) + "\n"
    if error := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        raise ValueError(f"the bill of materials is not valid: {error}")
    out.write_text(text)


def licences_of(package: str) -> list[dict[str, Any]]:
    """As an installed package states them: one SPDX expression, or names; empty if it is not installed here."""
    try:
        about = metadata.metadata(package)
    except metadata.PackageNotFoundError:
        return []
    if "License-Expression" in about:
        return [{"expression": about["License-Expression"]}]
    named = [each.rpartition(" :: ")[2] for each in about.get_all("Classifier", []) if each.startswith("License ::")]
    if not named and "License" in about and len(about["License"]) <= _LONGEST_NAME:
        named = [about["License"]]
    return [{"license": {"name": name}} for name in named]


if __name__ == "__main__":
    write_sbom(_ROOT, Path(sys.argv[1]), dict(os.environ))
