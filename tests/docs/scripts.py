"""Running the scripts of docs/examples with the commands of this process: a new one for each takes seconds."""

import re
import shlex
from pathlib import Path
from string import Template

from tests.cli.command_line import run
from tests.docs.pages import ROOT

EXAMPLES = ROOT / "docs" / "examples"
_STEP = re.compile(r"(?:(?P<name>\w+)=\$\()?invoices (?P<words>.*?)\)?")


def steps_of(script: Path) -> list[str]:
    """The lines of a script that do something."""
    lines = script.read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#") and line != "set -euo pipefail"]


def run_script(name: str, **variables: object) -> str:
    """Run each command of a script; give all that they print. Raises AssertionError where one fails, as `set -e`
    does."""
    known = {each: str(value) for each, value in variables.items()}
    printed = []
    for step in steps_of(EXAMPLES / name):
        call = _STEP.fullmatch(step)
        assert call is not None, step
        output = run(*(Template(word).substitute(known) for word in shlex.split(call["words"])))
        printed.append(output)
        if call["name"]:
            known[call["name"]] = output.strip()
    return "".join(printed)
