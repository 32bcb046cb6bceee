"""No row of the contract is without a test that proves it."""

import ast
from functools import cache
from pathlib import Path

import pytest

import tests
from tests.api.contract import additions, proofs, proofs_of_rules, rules
from tests.api.contract.endpoints import Table
from tests.api.contract.errors import ERRORS
from tests.api.contract.mistakes import WITH_KEY

ALL = (*WITH_KEY, additions.DOWNLOAD)


def _parameters() -> set[str]:
    rows = set()
    for endpoint in WITH_KEY:
        bodies = [body for variants in endpoint.bodies.values() for body in variants]
        bodies += additions.MORE_OF_BODIES.get(endpoint.name, {}).values()
        for table in (endpoint.query, additions.QUERY.get(endpoint.name, {}), *bodies):
            rows |= {f"{endpoint.name} {name.removesuffix('!')}" for name in table}
    return rows


SECTIONS: dict[str, tuple[set[str], Table]] = {
    "endpoints": ({endpoint.name for endpoint in ALL}, proofs.ENDPOINTS),
    "parameters": (_parameters(), proofs.PARAMETERS),
    "errors": ({row.code for row in (*ERRORS, *additions.ERRORS)}, proofs.ERRORS),
    "headers": (set(rules.HEADERS), proofs.HEADERS),
    "limits": (set(rules.LIMITS), proofs.LIMIT_PROOFS),
    "transitions": (set(rules.TRANSITIONS), proofs_of_rules.TRANSITIONS),
    "rules": (set(rules.RULES), proofs_of_rules.RULES),
    "promises": (set(additions.PROMISES), additions.PROMISES),
    "webhooks": (set(rules.WEBHOOKS), proofs_of_rules.WEBHOOKS),
}
each_section = pytest.mark.parametrize("section", SECTIONS)


@cache
def names_in(file: str) -> frozenset[str]:
    """The tests of a file, those of a class with its name before."""
    path = Path(tests.__file__).parent / f"{file}.py"
    if not path.is_file():
        return frozenset()
    body = ast.parse(path.read_text()).body
    classes = [node for node in body if isinstance(node, ast.ClassDef)]
    methods = {f"{kind.name}::{name}" for kind in classes for name in _functions(kind.body)}
    return frozenset(_functions(body) | methods)


def _functions(body: list[ast.stmt]) -> set[str]:
    return {node.name for node in body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


@each_section
def test_every_row_names_its_proof_and_every_proof_a_row(section: str) -> None:
    rows, named = SECTIONS[section]
    assert set(named) == rows


@each_section
def test_every_test_that_is_named_is_there(section: str) -> None:
    missing = {}
    for row, proof in SECTIONS[section][1].items():
        file, _, name = proof.partition("::")
        if name not in names_in(file):
            missing[row] = proof
    assert missing == {}
