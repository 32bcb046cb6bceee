"""Suggests what an invoice is booked on."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from serve_app.coding.features import Features, features_of, vendor_key
from serve_app.coding.levels import level_of, proofs_of
from serve_app.coding.logistic import CodeModel, Prediction, Support
from serve_app.coding.names import prior_of
from serve_app.domain.chart import Chart, CodingRule, active_codes
from serve_app.domain.coding import (
    WHOLE,
    BookedLine,
    CodedLine,
    Coding,
    CodingExample,
    CodingStatus,
    Posting,
    PostingCode,
    allocate,
)
from serve_app.domain.confidence import Confidence
from serve_app.domain.folding import folded

_SPLIT = "split"
"""How lines are split is predicted like a code: its code is the text of the shares."""
_EVEN = {"": 0.9}
_LEAST_SHOWN = 0.25
"""A code that is less likely is a guess, which a person in a hurry might confirm: nothing is suggested instead."""
_NOTHING_KNOWN = "Nothing like it was decided yet."
_PASSES = 3
"""How often the decisions are learned, from the oldest to the newest."""
_RULE_SCORE = 0.99
"""Of a rule, before the account's decisions have shown how often rules are right."""
_KINDS = {
    "vendor": "invoices of this vendor",
    "vendor entity": "invoices of this vendor for this entity",
    "text": "lines of this vendor with these words",
    "text entity": "lines of this vendor with these words for this entity",
    "entity": "invoices for this entity",
    "vendor word": "lines of this vendor with such a word",
    "word": "lines with such a word",
}


@dataclass(frozen=True, slots=True)
class Split:
    """How a line is split: the shares, in percent, and what each has in the dimensions in which they differ."""

    shares: tuple[Decimal, ...]
    codes: tuple[dict[str, str], ...]


class Coder:
    """Knows one account's chart and decisions. Making one is the training."""

    def __init__(self, chart: Chart, examples: Sequence[CodingExample] = ()) -> None:
        """`examples` are the newest first."""
        self._rules = [_FoldedRule.of(rule) for rule in chart.rules]
        self._names = {each.key: active_codes(each) for each in chart.dimensions if active_codes(each)}
        self._models = {key: CodeModel() for key in (*self._names, _SPLIT)}
        self._whole: dict[str, bool] = {}
        self.proofs = proofs_of(examples)
        for example in reversed(examples):
            self.learn(example)
        for _ in range(_PASSES - 1):
            for example in reversed(examples):
                for model, features, code in self._samples(example):
                    model.repeat(features, code)

    def learn(self, example: CodingExample) -> None:
        """Learn from another decision."""
        if example.vendor:
            self._whole[example.vendor] = example.is_whole
        for model, features, code in self._samples(example):
            model.learn(features, code)

    def _samples(self, example: CodingExample) -> Iterator[tuple[CodeModel, Features, str]]:
        """What each model learns from the example."""
        for line in example.lines:
            features = features_of(example.vendor, example.entity, line.text)
            split = _split_of(line)
            yield self._models[_SPLIT], features, _text_of(split)
            for key in self._names.keys() - (split.codes[0].keys() if split else ()):
                yield self._models[key], features, line.parts[0].codes.get(key, "")

    def suggest(self, vendor: str, entity: str, lines: Sequence[BookedLine], whole: BookedLine) -> Coding | None:
        """The coding of an invoice with these lines; None without a chart. A vendor whose last invoice was booked as a
        whole has this one booked as a whole, too."""
        if not self._names:
            return None
        booked = [whole] if self._whole.get(vendor, False) else lines
        postings = [
            posting for line in booked for posting in self._postings(features_of(vendor, entity, line.text), line)
        ]
        levels = [code.confidence for posting in postings for code in posting.codes.values()]
        return Coding(
            status=CodingStatus.SUGGESTED,
            auto_coded=bool(levels) and all(level is Confidence.HIGH for level in levels),
            by=None,
            at=None,
            postings=postings,
        )

    def _postings(self, features: Features, line: BookedLine) -> Iterator[Posting]:
        codes = {key: self._code(key, features) for key in self._names}
        prediction = self._models[_SPLIT].predict(features, self._splits_before(features))
        split = _split_from(prediction.code)
        if split is None or not all(self._has(codes) for codes in split.codes):
            yield Posting(line=line.number, share=WHOLE, amount=line.total, codes=codes)
            return
        amounts = allocate(line.total, split.shares)
        for share, amount, own in zip(split.shares, amounts, split.codes, strict=True):
            parts = {key: self._posting_code(key, code, prediction) for key, code in own.items()}
            yield Posting(line=line.number, share=share, amount=amount, codes=codes | parts)

    def _splits_before(self, features: Features) -> dict[str, float]:
        """Every split that the vendor has had, and none."""
        return dict.fromkeys(self._models[_SPLIT].codes_of_vendor(features), 0.01) | _EVEN

    def _has(self, codes: Mapping[str, str]) -> bool:
        return all(key in self._names and (code == "" or code in self._names[key]) for key, code in codes.items())

    def _code(self, key: str, features: Features) -> PostingCode:
        rule = next((rule for rule in self._rules if rule.applies(features) and self._has_code(rule, key)), None)
        if rule is not None:
            return self._made(key, rule.codes[key], _RULE_SCORE, rule.reason)
        prediction = self._models[key].predict(features, prior_of(key, self._names[key], features))
        return self._posting_code(key, prediction.code, prediction)

    def _has_code(self, rule: "_FoldedRule", key: str) -> bool:
        return rule.codes.get(key) in self._names[key]

    def _posting_code(self, key: str, code: str, prediction: Prediction) -> PostingCode:
        if prediction.chance < _LEAST_SHOWN:
            return self._made(key, "", 0.0, _NOTHING_KNOWN)
        return self._made(key, code, prediction.score, _reason(prediction.support))

    def _made(self, key: str, code: str, score: float, reason: str) -> PostingCode:
        level = level_of(key, score, self.proofs)
        return PostingCode(value=code or None, confidence=level, score=round(score, 4), reason=reason)


@dataclass(frozen=True, slots=True)
class _FoldedRule:
    """A rule in the form in which it is compared."""

    vendor: str
    contains: str
    codes: Mapping[str, str]
    reason: str

    @classmethod
    def of(cls, rule: CodingRule) -> "_FoldedRule":
        said = [f"{name} {text}" for name, text in (("vendor", rule.vendor), ("line", rule.contains)) if text]
        vendor, contains = vendor_key(rule.vendor), folded(rule.contains or "")
        return cls(vendor, contains, rule.codes, f"Rule: {', '.join(said)}.")

    def applies(self, features: Features) -> bool:
        return self.vendor in features.vendor and self.contains in features.line


def _reason(support: Support | None) -> str:
    if support is None:
        return "By the name of the code: nothing like it was decided yet."
    return f"As on {support.same} of the {support.of} latest {_KINDS[support.kind]}."


def _split_of(line: CodedLine) -> Split | None:
    """None if the line is not split."""
    if len(line.parts) < 2:
        return None
    keys = {key for part in line.parts for key in part.codes}
    differing = sorted(key for key in keys if len({part.codes.get(key, "") for part in line.parts}) > 1)
    codes = tuple({key: part.codes.get(key, "") for key in differing} for part in line.parts)
    return Split(tuple(Decimal(part.share) for part in line.parts), codes)


def _text_of(split: Split | None) -> str:
    if split is None:
        return ""
    return json.dumps([[str(share), codes] for share, codes in zip(split.shares, split.codes, strict=True)])


def _split_from(text: str) -> Split | None:
    if not text:
        return None
    parts = json.loads(text)
    return Split(tuple(Decimal(share) for share, _ in parts), tuple(codes for _, codes in parts))
