"""Install the packages of templates into a separate folder, with the registries' ordinary clients."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from models.training.templates.registry import Template

# Prints HTML with the installed Chromium.
PRINTER = "puppeteer-core@24.4.0"


def python_site(root: Path, template: Template) -> Path:
    """Where the Python packages of a template are: a folder for each set, since versions may not fit together."""
    return root / "python" / "+".join(template.packages).replace("==", "-")[:100]


def node_modules(root: Path) -> Path:
    return root / "node" / "node_modules"


def install(root: Path, templates: Iterable[Template]) -> None:
    """Install what is missing; raise CalledProcessError if a registry does not have it."""
    chosen = list(templates)
    for template in chosen:
        if template.engine != "node" and template.packages:
            _install_python(python_site(root, template), template.packages)
    _install_node(root, [PRINTER, *(name for each in chosen if each.engine == "node" for name in each.packages)])


def _install_python(site: Path, packages: Iterable[str]) -> None:
    if site.exists():
        return
    new = site.with_name(f"{site.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--disable-pip-version-check"]
    subprocess.run([*command, "--target", str(new), *packages], check=True)
    new.rename(site)


def _install_node(root: Path, packages: Iterable[str]) -> None:
    """All packages of node in one tree, by exact version; their install scripts do not run."""
    requested = {name: version for name, _, version in (package.rpartition("@") for package in packages)}
    folder = root / "node"
    folder.mkdir(parents=True, exist_ok=True)
    manifest = folder / "package.json"
    text = json.dumps({"private": True, "dependencies": dict(sorted(requested.items()))}, indent=1)
    if manifest.exists() and manifest.read_text() == text and node_modules(root).exists():
        return
    manifest.write_text(text)
    subprocess.run(
        ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"], cwd=folder, check=True
    )
