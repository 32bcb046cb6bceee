"""Build the package of the TypeScript client, and try it where its users run it."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from scripts.clients.formatting import ROOT
from scripts.clients.models import EXACT
from scripts.clients.typescript import type_names
from serve_app.api.app import create_api

PACKAGE = ROOT / "clients" / "typescript"
_PAGES = (ROOT / "docs" / "how-to" / "use-a-client.md", PACKAGE / "README.md")
_EXAMPLE = re.compile(r"^```typescript\n(.*?)^```", re.MULTILINE | re.DOTALL)
# Packages of the registry that have these programs.
_OTHERS = ("deno@2.9.6", "bun@1.4.5")
_OTHER_RUNTIMES = {"deno": ("npx", "deno", "run", "--allow-all"), "bun": ("npx", "bun", "run")}
_COMPILER = ("typescript@5.9.3", "@types/node@20.19.43")
_QUIETLY = ("--no-audit", "--no-fund", "--loglevel=error")
# What the types differ in on purpose: exact numbers are texts.
_COMPARISON = """\
import type {{ components }} from "./document.js";
import type * as client from "../../src/models.js";

type Answers = components["schemas"];
type Decimals = {decimals};
type Exact<T, Name = ""> = T extends number
  ? Name extends Decimals ? string : T
  : T extends object ? {{ [Key in keyof T]: Exact<T[Key], Key> }} : T;
type Keys<T> = T extends string ? never : keyof T;
type Same<One, Other> = [Keys<One>, Keys<Other>] extends [Keys<Other>, Keys<One>] ? true : never;
{checks}
"""
_CHECK = """\
export const a{name} = (value: Exact<Answers["{name}"]>): client.{name} => value;
export const s{name}: Same<Answers["{name}"], client.{name}> = true;
"""


def try_typescript(out: Path, answers: Path) -> None:
    """Raises CalledProcessError if the package does not build, pass its tests, or run."""
    if shutil.which("npm") is None:
        print("the TypeScript client is not tried: npm is missing")
        return
    _run("npm", "ci", *_QUIETLY)
    _run("npm", "run", "--silent", "check")
    _run("npm", "pack", "--silent", f"--pack-destination={out.resolve()}")
    _run("npx", "tsc", "--project", "tsconfig.tests.json")
    _run(sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "tests/clients/test_typescript.py", cwd=ROOT)
    _compare_with_the_document(answers)
    (package,) = out.glob("*.tgz")
    with TemporaryDirectory() as folder:
        _try_package(package.resolve(), Path(folder))


def _compare_with_the_document(answers: Path) -> None:
    """The types are those that another tool makes from the OpenAPI document, and take answers made from it."""
    folder = PACKAGE / "build" / "compared"
    folder.mkdir(parents=True, exist_ok=True)
    document = create_api().openapi()
    (folder / "openapi.json").write_text(json.dumps(document))
    _run("npx", "openapi-typescript", str(folder / "openapi.json"), "--output", str(folder / "document.ts"))
    checks = "".join(_CHECK.format(name=name) for name in type_names(document))
    decimals = " | ".join(f'"{name}"' for name in sorted(EXACT))
    (folder / "comparison.ts").write_text(_COMPARISON.format(decimals=decimals, checks=checks))
    _run("node", "build/tests/answers.js", str(answers.resolve()), str(folder / "answers.ts"))
    _run("npx", "tsc", "--project", "tsconfig.compared.json")


def _try_package(package: Path, folder: Path) -> None:
    """Install the built file in an empty folder, and run it there."""
    (folder / "package.json").write_text('{"type": "module", "private": true}')
    _run("npm", "install", *_QUIETLY, str(package), cwd=folder)
    shutil.copy(PACKAGE / "tests" / "package.mjs", folder)
    _run("npx", "--no-install", "invoices-client", "--help", cwd=folder)
    _run("node", "package.mjs", cwd=folder)
    print("node: the installed package passes its test")
    _check_examples(folder)
    _run("npm", "install", *_QUIETLY, *_OTHERS, cwd=folder)
    for name, command in _OTHER_RUNTIMES.items():
        _run(*command, "package.mjs", cwd=folder)
        print(f"{name}: the installed package passes its test")


def _check_examples(folder: Path) -> None:
    """The types of examples and documentation, as a user's strict compiler reads them."""
    shutil.copytree(PACKAGE / "examples", folder / "examples")
    for page in _PAGES:
        (folder / "examples" / f"{page.stem}.ts").write_text("\n".join(_EXAMPLE.findall(page.read_text())))
    _run("npm", "install", *_QUIETLY, *_COMPILER, cwd=folder)
    sources = sorted(map(str, (folder / "examples").glob("*.ts")))
    _run("npx", "tsc", "--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", *sources, cwd=folder)


def _run(*command: str, cwd: Path = PACKAGE) -> None:
    subprocess.run(command, cwd=cwd, check=True)
