"""An account's chart: what its invoices are booked on."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from pydantic import Field

from serve_app.domain.errors import InvalidParameter
from serve_app.domain.plain_text import one_line
from serve_app.domain.resource import Resource

ACCOUNT = "account"
USUAL = {
    ACCOUNT: "Accounts",
    "cost_center": "Cost centres",
    "tax_code": "Tax codes",
    "project": "Projects",
}
"""The dimensions that every account may use, with their names. Others get a key and a name of their own."""
MAX_DIMENSIONS = 10
MAX_CODES = 5_000
"""Of one dimension."""
MAX_RULES = 500
MAX_CODE = 40
MAX_NAME = 200
KEY_PATTERN = "^[a-z][a-z0-9_]{0,39}$"


class ChartCode(Resource):
    """A value of a dimension, such as account `4930`. A code that is not `active` is no longer suggested."""

    code: str
    name: str = ""
    active: bool = True


class Dimension(Resource):
    """What codes answer one question: which account, which cost centre, which tax code, which project, or an own one.
    `key` is its name in postings."""

    key: str
    name: str
    codes: list[ChartCode]


class CodingRule(Resource):
    """The codes for lines that contain these words, of vendors whose names contain these; null: of any. Capital letters
    and accents do not count. The first rule that applies decides about a dimension."""

    vendor: str | None = None
    contains: str | None = None
    codes: dict[str, str]
    """By the key of the dimension."""


class Chart(Resource):
    """The dimensions of an account and its rules. `revision` grows with every change; 0: there is no chart."""

    object: Literal["chart"] = "chart"
    revision: int = 0
    dimensions: list[Dimension] = Field(default_factory=list)
    rules: list[CodingRule] = Field(default_factory=list)

    def find(self, key: str) -> Dimension | None:
        """The dimension with this key."""
        return next((each for each in self.dimensions if each.key == key), None)

    def with_dimension(self, dimension: Dimension) -> "Chart":
        """With this dimension, in the place of the one with its key. Raises InvalidParameter."""
        dimension = _checked_dimension(dimension)
        kept = [dimension if each.key == dimension.key else each for each in self.dimensions]
        if dimension not in kept:
            kept.append(dimension)
        if len(kept) > MAX_DIMENSIONS:
            raise InvalidParameter(f"A chart has at most {MAX_DIMENSIONS} dimensions.", "dimension")
        return self.model_copy(update={"dimensions": kept})

    def without_dimension(self, key: str) -> "Chart":
        """Without the dimension with this key, if there is one."""
        return self.model_copy(update={"dimensions": [each for each in self.dimensions if each.key != key]})

    def with_rules(self, rules: Sequence[CodingRule]) -> "Chart":
        """With these rules only. Raises InvalidParameter."""
        if len(rules) > MAX_RULES:
            raise InvalidParameter(f"A chart has at most {MAX_RULES} rules.", "rules")
        checked = [self._checked_rule(index, rule) for index, rule in enumerate(rules)]
        return self.model_copy(update={"rules": checked})

    def check_codes(self, codes: Mapping[str, str | None], param: str) -> None:
        """Raises InvalidParameter if a code is not in the chart or not active."""
        for key, code in codes.items():
            dimension = self.find(key)
            if dimension is None:
                raise InvalidParameter(f"{param}.{key}: the chart has no dimension {key}.", f"{param}.{key}")
            if code is not None and code not in active_codes(dimension):
                raise InvalidParameter(f"{param}.{key}: {dimension.name} have no active code {code}.", f"{param}.{key}")

    def _checked_rule(self, index: int, rule: CodingRule) -> CodingRule:
        param = f"rules.{index}"
        vendor, contains = one_line(rule.vendor or "") or None, one_line(rule.contains or "") or None
        if max(len(vendor or ""), len(contains or "")) > MAX_NAME:
            raise InvalidParameter(f"{param}: at most {MAX_NAME} characters.", param)
        if vendor is None and contains is None:
            raise InvalidParameter(f"{param}: enter a vendor, words of a line, or both.", param)
        if not rule.codes:
            raise InvalidParameter(f"{param}.codes: enter at least one code.", f"{param}.codes")
        self.check_codes(rule.codes, f"{param}.codes")
        return CodingRule(vendor=vendor, contains=contains, codes=rule.codes)


NO_CHART = Chart()


def active_codes(dimension: Dimension) -> dict[str, str]:
    """The names of the codes that can be suggested and entered, by the codes."""
    return {each.code: each.name for each in dimension.codes if each.active}


def code_problem(code: ChartCode) -> str | None:
    """Why the code cannot be part of a chart."""
    if not code.code:
        return "the code is empty"
    if len(code.code) > MAX_CODE:
        return f"the code has more than {MAX_CODE} characters"
    if len(code.name) > MAX_NAME:
        return f"the name has more than {MAX_NAME} characters"
    return None


def _checked_dimension(dimension: Dimension) -> Dimension:
    if not re.fullmatch(KEY_PATTERN, dimension.key):
        raise InvalidParameter(
            "dimension: the key must begin with a letter, and have only a to z, digits and _.", "dimension"
        )
    name = one_line(dimension.name)
    if not name or len(name) > MAX_NAME:
        raise InvalidParameter(f"name: enter 1 to {MAX_NAME} characters.", "name")
    if len(dimension.codes) > MAX_CODES:
        raise InvalidParameter(f"codes: a dimension has at most {MAX_CODES} codes.", "codes")
    return Dimension(key=dimension.key, name=name, codes=list(_checked_codes(dimension.codes)))


def _checked_codes(codes: Sequence[ChartCode]) -> Iterator[ChartCode]:
    seen = set[str]()
    for index, each in enumerate(codes):
        code = ChartCode.model_construct(code=one_line(each.code), name=one_line(each.name), active=each.active)
        problem = "the code is there twice" if code.code in seen else code_problem(code)
        if problem is not None:
            raise InvalidParameter(f"codes.{index}: {problem}.", f"codes.{index}.code")
        seen.add(code.code)
        yield code
