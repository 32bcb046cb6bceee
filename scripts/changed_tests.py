"""Prints the test files that a change can break, the nearest by imports first.

Usage: python -m scripts.changed_tests [BASE] [--most N]
"""

import argparse
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import grimp

PACKAGES = ("serve_app", "actors", "models", "scripts", "tests")
MOST = 40
"""Test files: what ends within a minute on two cores."""


def main() -> None:
    """Print at most `--most` files that were changed or depend on a change; on stderr, how many more there are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base", nargs="?", default="main", help="what to compare the working tree with")
    parser.add_argument("--most", type=int, default=MOST)
    arguments = parser.parse_args()
    changed = [module_of(path) for path in changed_files(arguments.base)]
    found = dependent_tests([module for module in changed if module], imports())
    print(*(f"{module.replace('.', '/')}.py" for module in found[: arguments.most]), sep="\n")
    if len(found) > arguments.most:
        print(f"{len(found) - arguments.most} more test files depend on this change: make test", file=sys.stderr)


def changed_files(base: str) -> list[Path]:
    """Python files that differ from where the current branch left `base`, those that git does not know yet included."""
    fork = _git("merge-base", base, "HEAD")[0]
    names = {*_git("diff", "--name-only", fork), *_git("ls-files", "--others", "--exclude-standard")}
    return sorted(path for path in map(Path, names) if path.suffix == ".py" and path.exists())


def module_of(path: Path) -> str | None:
    """The name by which a file is imported; None for one outside the packages."""
    parts = path.with_suffix("").parts
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    return name if parts[0] in PACKAGES else None


def imports() -> Mapping[str, set[str]]:
    """By module, those that import it."""
    graph = grimp.build_graph(*PACKAGES)
    return {module: graph.find_modules_that_directly_import(module) for module in graph.modules}


def dependent_tests(changed: Iterable[str], importers: Mapping[str, set[str]]) -> list[str]:
    """The test modules among what was changed and what imports it, directly or not, by distance."""
    seen = dict.fromkeys(changed)
    nearest = [*seen]
    while nearest:
        nearest = sorted({each for module in nearest for each in importers.get(module, ())} - seen.keys())
        seen |= dict.fromkeys(nearest)
    return [module for module in seen if is_test(module)]


def is_test(module: str) -> bool:
    """Whether pytest collects the module."""
    return module.startswith("tests.") and module.rpartition(".")[2].startswith("test_")


def _git(*arguments: str) -> list[str]:
    command = ["git", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


if __name__ == "__main__":
    main()
