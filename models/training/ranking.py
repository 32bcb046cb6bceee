"""`python -m models.training.ranking`: fit what the rankers of the header fields make of their features.

A conditional logit (McFadden, 1974) a field, on generated documents. The models read generated documents better than
real ones; so that the ranking does not learn to believe them blindly, their word is disturbed while it is fitted.
"""

import argparse
import json
import sys
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from models.evaluation.readings import ReadingCache
from models.training.generator import Profile, generate_training, generate_validation
from models.training.sample import Sample
from serve_app.domain.labels import OUTSIDE, Label
from serve_app.extraction.dates import day_month_order
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.names import normal_name, normal_number
from serve_app.extraction.numbers import decimal_style
from serve_app.extraction.ranking.amount_options import amount_options
from serve_app.extraction.ranking.date_options import date_options
from serve_app.extraction.ranking.number_options import number_options
from serve_app.extraction.ranking.options import Features, Option
from serve_app.extraction.ranking.vendor_options import vendor_options

Floats = npt.NDArray[np.float64]

TARGET = Path("serve_app/extraction/ranking/weights.json")
FIRST_SEED = 700_000_000
# Each document is disturbed anew so many times.
COPIES = 3
STEPS = 400
_OF_CAPTIONS = ("before:", "earlier:", "above:", "column:")
RIDGE = 1e-3
# What can only speak for an option of a field, and what only against it, whatever a few hundred documents say.
FOR = {
    "vendor": ("model:seller", "model:weakest word", "legal form", "domain", "repeated", "large", "heading:seller"),
    "invoice_number": ("model:invoice_number", "before:invoice_number", "above:invoice_number", "repeated"),
    "issued_at": ("model:issue_date", "before:issue_date", "above:issue_date", "first page"),
    "due_at": ("model:due_date", "before:due_date", "above:due_date", "usual term"),
    "total": ("model:total", "model:amount_due", "before:total", "above:total", "largest", "repeated", "decimals"),
    "tax": ("model:tax", "before:tax", "above:tax", "decimals"),
    "subtotal": ("model:subtotal", "before:subtotal", "above:subtotal", "decimals"),
}
AGAINST = {
    "vendor": ("model:buyer", "heading:buyer", "title", "digits", "date", "small letters", "caption", "model:left out"),
    "invoice_number": ("model:other_number", "before:other_number", "above:other_number", "phone", "date"),
    "issued_at": ("model:due_date", "before:due_date", "before:other_date", "model:other_date"),
    "due_at": ("model:issue_date", "before:issue_date", "model:other_date"),
    "total": ("before:subtotal", "before:tax", "before:cash", "before:previous", "model:paid", "model:line_quantity"),
    "tax": ("before:total", "before:subtotal", "model:total", "model:subtotal", "largest"),
    "subtotal": ("before:total", "before:tax", "model:total", "model:tax"),
}


@dataclass(frozen=True, slots=True)
class Disturbance:
    """How much worse than they are the models, and the lexicon, are taken to be while a ranker is fitted.

    All of a document's log-odds shrink to a random share of at least `weakest`, all of an option's are off by a normal
    number of `deviation`, a share `swapped` of the options is given another's, as a model that mistakes one for the
    other would, and a share `unknown` of the captions is in no lexicon.
    """

    weakest: float
    deviation: float
    swapped: float
    unknown: float


# Chosen on the development corpus: numbers and dates are told by their captions, names and totals hardly are.
USUAL = Disturbance(weakest=0.2, deviation=3.0, swapped=0.3, unknown=0.1)
DISTURBANCES = {
    "vendor": Disturbance(weakest=0.5, deviation=1.5, swapped=0.05, unknown=0.1),
    "total": Disturbance(weakest=0.3, deviation=2.5, swapped=0.12, unknown=0.15),
}


@dataclass(frozen=True, slots=True)
class Question:
    """The options that one document offers for a field, and whether each is right; none may be."""

    options: Sequence[Features]
    right: Sequence[bool]


def main() -> None:
    """Read generated documents with the bundled models, fit every field, write the weights."""
    parser = argparse.ArgumentParser(prog="python -m models.training.ranking", description=__doc__)
    parser.add_argument("--documents", type=int, default=700)
    parser.add_argument("--cache", type=Path, default=Path("build/ranking"), help="the models' readings are kept here")
    parser.add_argument("--out", type=Path, default=TARGET)
    arguments = parser.parse_args()
    questions: dict[str, list[Question]] = {}
    readings = ReadingCache(arguments.cache)
    for sample in samples(arguments.documents):
        for field, question in ask(sample, readings.evidence(sample.document)):
            questions.setdefault(field, []).append(question)
    weights = {field: fit(field, asked) for field, asked in questions.items()}
    arguments.out.write_text(json.dumps(weights, indent=1) + "\n")
    for field, asked in questions.items():
        sys.stdout.write(f"{field}: {len(asked)} documents, {accuracy(weights[field], asked):.1%} right\n")


def samples(count: int) -> Iterator[Sample]:
    """Documents of all families, those never trained on twice as often as their share, in turn for both models."""
    for index in range(count):
        generate = generate_validation if index % 3 else generate_training
        yield generate(FIRST_SEED + index, list(Profile)[index % 2])


def ask(sample: Sample, pages: Sequence[PageEvidence]) -> Iterator[tuple[str, Question]]:
    """The questions that a document poses, by field; those whose answer is not among the options are left out."""
    truth = sample.truth
    order = day_month_order((page.text(line) for page in pages for line in page.lines), month_first_hint=True)
    style = decimal_style(word.text for page in pages for word in page.page.words)
    amounts = amount_options(pages, style)
    sums: dict[str, Any] = {"total": truth.amount, "tax": truth.tax, "subtotal": _subtotal(sample, amounts)}
    asked: list[tuple[str, Sequence[Option[Any]], Any, Callable[[Any], Hashable]]] = [
        ("vendor", vendor_options(pages), truth.vendor_name, normal_name),
        ("invoice_number", number_options(pages), truth.invoice_number, normal_number),
        ("issued_at", date_options(pages, order), truth.issued_at, _same),
        ("due_at", date_options(pages, order, truth.issued_at), truth.due_at, _same),
        *((field, amounts, value, _same) for field, value in sums.items()),
    ]
    for field, options, answer, normal in asked:
        right = [answer is not None and normal(option.value) == normal(answer) for option in options]
        if options and any(right) is (answer is not None):
            yield field, Question([option.features for option in options], right)


def _same(value: Hashable) -> Hashable:
    return value


def _subtotal(sample: Sample, amounts: Sequence[Option[Any]]) -> Any:
    """The value of the first option whose words are a subtotal's."""
    tag = f"-{Label.SUBTOTAL}"
    for amount in amounts:
        tags = sample.tags[amount.place.page]
        if all(tags[word] != OUTSIDE and tags[word].endswith(tag) for word in amount.place.words):
            return amount.value
    return None


def fit(field: str, questions: Sequence[Question]) -> dict[str, float]:
    """Weights by the name of a feature, by gradient descent on the chance of the right answers, with a ridge and with
    the signs that must be (`FOR`, `AGAINST`)."""
    rng = np.random.default_rng(0)
    how = DISTURBANCES.get(field, USUAL)
    disturbed = [disturb(question, how, rng) for question in questions for _ in range(COPIES)]
    names = ["bias", *sorted({name for question in questions for option in question.options for name in option})]
    inputs = torch.tensor(
        np.concatenate([_matrix(question.options, names) for question in disturbed]), dtype=torch.float32
    )
    sizes = [len(question.options) for question in disturbed]
    owner = torch.tensor(np.repeat(np.arange(len(disturbed)), sizes))
    right = torch.tensor([option for question in disturbed for option in question.right])
    answered = torch.tensor([any(question.right) for question in disturbed])
    lowest = torch.tensor([0.0 if name in FOR[field] else -torch.inf for name in names])
    highest = torch.tensor([0.0 if name in AGAINST[field] else torch.inf for name in names])
    weights = torch.zeros(len(names), requires_grad=True)
    optimiser = torch.optim.Adam([weights], lr=0.05)
    for _ in range(STEPS):
        optimiser.zero_grad()
        loss = _loss(inputs @ weights, owner, right, answered) + RIDGE * (weights**2).sum()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        with torch.no_grad():
            weights.clamp_(lowest, highest)
    return {name: round(float(value), 3) for name, value in zip(names, weights.detach(), strict=True)}


def _loss(scores: torch.Tensor, owner: torch.Tensor, right: torch.Tensor, answered: torch.Tensor) -> torch.Tensor:
    """Minus the mean log-chance of the right options, or of none where none is right."""
    exponents = torch.exp(scores.clamp(max=30))
    whole = torch.ones(len(answered)).index_add(0, owner, exponents)
    share = torch.zeros(len(answered)).index_add(0, owner, exponents * right)
    return -(torch.log(torch.where(answered, share, torch.ones(())) + 1e-9) - torch.log(whole)).mean()


def disturb(question: Question, how: Disturbance, rng: np.random.Generator) -> Question:
    """The question as models that know such documents less well, and a poorer lexicon, would pose it."""
    strength = rng.uniform(how.weakest, 1)
    order = np.arange(len(question.options))
    moved = rng.random(len(order)) < how.swapped
    order[moved] = rng.permutation(order[moved])
    options = []
    for option, index in zip(question.options, order.tolist(), strict=True):
        known = rng.random() >= how.unknown
        changed = {name: value for name, value in option.items() if known or not name.startswith(_OF_CAPTIONS)}
        off = float(rng.normal(0, how.deviation))
        models = {name: value for name, value in question.options[index].items() if name.startswith("model:")}
        changed |= {name: max(0.0, strength * value + off * (value > 0)) for name, value in models.items()}
        if not known:
            changed |= {"before:none": 1.0, "above:none": 1.0}
        options.append(changed)
    return Question(options, question.right)


def _matrix(options: Sequence[Features], names: Sequence[str]) -> Floats:
    return np.array([[1.0, *(option.get(name, 0.0) for name in names[1:])] for option in options])


def accuracy(weights: dict[str, float], questions: Sequence[Question]) -> float:
    """The share of undisturbed questions whose likeliest answer is right."""
    right = 0
    for question in questions:
        names = list(weights)
        scores = _matrix(question.options, names) @ np.array([weights[name] for name in names])
        best = int(scores.argmax())
        right += question.right[best] if scores[best] > 0 else not any(question.right)
    return right / len(questions)


if __name__ == "__main__":
    main()
