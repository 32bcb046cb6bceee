"""`invoices models rank`: fits the weights of the rankers of the header fields.

Each is a conditional logit (McFadden, 1974). All fields but the vendor and the due date learn from generated documents.
The models read these better than real ones; so that the ranking does not learn to trust them blindly, their scores are
disturbed during fitting. With `--real` or `--cases`, only these two learn, from these documents alone. Their weights
are drawn to the present ones, so that many documents of one kind do not unlearn what others taught. Fields that do not
learn keep their weights.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

from models.chosen import chosen_model
from models.evaluation.dataset import load_dataset
from models.evaluation.documents import DocumentCache
from models.evaluation.readings import ReadingCache
from models.loading import EXTRACTOR, VERIFIER
from models.pipeline import Pipeline
from models.training.generator import Profile, generate_training, generate_validation
from models.training.questions import Question, ask, ask_case, ask_real
from models.training.real import few_of_each_issuer, read_real
from models.training.sample import Sample
from serve_app.documents.isolation.supervisor import Supervisor
from serve_app.extraction.candidates.features import Features, Objection
from serve_app.extraction.confidence.calibration import UNFITTED
from serve_app.extraction.confidence.calibrations import Calibrations
from serve_app.extraction.scoring.rank import Weights, score
from serve_app.settings.reading import read_settings

Floats = npt.NDArray[np.float64]

TARGET = Path("serve_app/extraction/scoring/weights.json")
FIRST_SEED = 700_000_000
# At most this many documents of an issuer are used.
OF_ISSUER = 2
# Each document is disturbed this many times, each time differently.
COPIES = 3
STEPS = 400
_OF_CAPTIONS = ("before:", "earlier:", "above:", "column:")
RIDGE = 1e-3
# The same for a field that learns from what others taught: how strongly its weights are drawn to the present ones. Due
# dates learned from generated documents, which have hardly any other date in running text.
PULL = {"vendor": 5e-3, "due_at": 5e-4}
# Where the weight of an objection to a name begins: what speaks against a name is rare, so few documents teach it.
OBJECTED = -8.0
# The fields fitted on labelled documents. Most of these are receipts, which print numbers and sums in too few ways.
REAL_FIELDS = ("vendor", "due_at")
# Features that can only be evidence for an option of a field, and only against it, whatever a few hundred documents
# say.
FOR = {
    "vendor": (
        "model:seller",
        "model:weakest word",
        "legal form",
        "domain",
        "is domain",
        "heading:seller",
        "section:seller",
        "names section:seller",
    ),
    "invoice_number": ("model:invoice_number", "before:invoice_number", "above:invoice_number", "repeated"),
    "issued_at": ("model:issue_date", "before:issue_date", "above:issue_date", "first page"),
    "due_at": ("model:due_date", "before:due_date", "above:due_date", "usual term"),
    "total": ("model:total", "model:amount_due", "before:total", "above:total", "largest", "repeated", "decimals"),
    "tax": ("model:tax", "before:tax", "above:tax", "decimals"),
    "subtotal": ("model:subtotal", "before:subtotal", "above:subtotal", "decimals"),
}
AGAINST = {
    "vendor": (
        *(
            "model:buyer",
            "heading:buyer",
            "section:buyer",
            "names section:buyer",
            "another is headed",
            "another names section",
            "person",
            "given name",
            "given name beside company",
            "model:left out",
            "model:continues",
            "model:goes on",
        ),
        *("small letters", "small words", "cut before"),
        *Objection,
    ),
    "invoice_number": ("model:other_number", "before:other_number", "above:other_number", "phone", "date"),
    "issued_at": ("model:due_date", "before:due_date", "before:other_date", "model:other_date"),
    "due_at": ("model:issue_date", "before:issue_date", "before:other_date", "above:other_date", "model:other_date"),
    "total": ("before:subtotal", "before:tax", "before:cash", "before:previous", "model:paid", "model:line_quantity"),
    "tax": ("before:total", "before:subtotal", "model:total", "model:subtotal", "largest"),
    "subtotal": ("before:total", "before:tax", "model:total", "model:tax"),
}


@dataclass(frozen=True, slots=True)
class Disturbance:
    """How much worse models and lexicon are made to look while a ranker is fitted.

    All of a document's log-odds shrink to a random share of at least `weakest`, all of an option's are off by a normal
    number of `deviation`, a share `swapped` of the options gets another's, like a model that confuses the two, and a
    share `unknown` of the captions is missing from the lexicon.
    """

    weakest: float
    deviation: float
    swapped: float
    unknown: float


# Chosen on the development corpus: captions identify numbers and dates, but hardly names and totals.
USUAL = Disturbance(weakest=0.2, deviation=3.0, swapped=0.3, unknown=0.1)
# Real documents are read as in production.
REAL = Disturbance(weakest=0.9, deviation=0.2, swapped=0.0, unknown=0.02)
DISTURBANCES = {
    "vendor": Disturbance(weakest=0.5, deviation=1.5, swapped=0.05, unknown=0.1),
    "total": Disturbance(weakest=0.3, deviation=2.5, swapped=0.12, unknown=0.15),
}


def main() -> None:
    """Fit every field on the requested documents, write the result, and print how many questions it answers
    correctly."""
    arguments = _arguments()
    pipeline = Pipeline(
        chosen_model(arguments.extractor, EXTRACTOR), chosen_model(arguments.verifier, VERIFIER), Calibrations(UNFITTED)
    )
    readings = ReadingCache(arguments.cache, lambda: pipeline)
    before: dict[str, Weights] = json.loads(TARGET.read_text())
    if arguments.real or arguments.cases:
        asked = chain(asked_of_real(arguments.real, readings), asked_of_cases(arguments.cases, pipeline, readings))
        questions = by_field(asked)
        learning = [field for field in arguments.field or REAL_FIELDS if field in questions]
        fitted = {field: fit(field, questions[field], before=before[field], how=REAL) for field in learning}
    else:
        questions = by_field(asked_of_generated(arguments.documents, readings))
        fitted = {field: fit(field, mine) for field, mine in questions.items() if field not in REAL_FIELDS}
    arguments.out.write_text(json.dumps(before | fitted, indent=1) + "\n")
    for field, weights in fitted.items():
        mine = questions[field]
        sys.stdout.write(f"{field}: {len(mine)} documents, {accuracy(weights, mine):.1%} right\n")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="invoices models rank", description=__doc__)
    real = "a folder of labelled documents (docs/how-to/train-models.md); repeatable. Fields learn from them"
    parser.add_argument("--real", type=Path, action="append", default=[], metavar="DIR", help=real)
    cases = "a folder of documents and their values, as for `make evaluate`; repeatable. They learn from these, too"
    parser.add_argument("--cases", type=Path, action="append", default=[], metavar="DIR", help=cases)
    one = "the field that learns from them: repeatable; both by default"
    parser.add_argument("--field", action="append", choices=REAL_FIELDS, help=one)
    parser.add_argument("--documents", type=int, default=700, help="generated documents")
    parser.add_argument("--extractor", help="a checkpoint folder, or a JSON or YAML file of a model's user_config")
    parser.add_argument("--verifier", help="the same for the verifier")
    parser.add_argument("--cache", type=Path, default=Path("build/ranking"), help="the models' readings are kept here")
    parser.add_argument("--out", type=Path, default=TARGET, help="where the result goes")
    return parser.parse_args()


def by_field(asked: Iterable[tuple[str, Question]]) -> dict[str, list[Question]]:
    """The questions to the ranker of each field."""
    questions: dict[str, list[Question]] = {}
    for field, question in asked:
        questions.setdefault(field, []).append(question)
    return questions


def asked_of_generated(count: int, readings: ReadingCache) -> Iterator[tuple[str, Question]]:
    """The questions of generated documents."""
    for sample in samples(count):
        yield from ask(sample, readings.evidence(sample.document))


def asked_of_real(folders: Sequence[Path], readings: ReadingCache) -> Iterator[tuple[str, Question]]:
    """The questions of labelled documents."""
    for folder in folders:
        for document in few_of_each_issuer(read_real(folder, "train"), OF_ISSUER):
            yield from ask_real(document, readings.evidence(document.document))


def asked_of_cases(
    folders: Sequence[Path], pipeline: Pipeline, readings: ReadingCache
) -> Iterator[tuple[str, Question]]:
    """The questions of documents of one invoice whose values are known."""
    options = read_settings().read_options()
    with closing(Supervisor(options)) as reader:
        documents = DocumentCache(readings.folder / "documents", reader.read_next, options)
        for case in (each for folder in folders for each in load_dataset(folder)):
            if len(case.truths) == 1:
                data = case.path.read_bytes()
                document = pipeline.with_pictures(documents.read(data), data)
                yield from ask_case(case.truths[0], readings.evidence(document))


def samples(count: int) -> Iterator[Sample]:
    """Documents of all families, alternating between both models; those never trained on are twice as frequent."""
    for index in range(count):
        generate = generate_validation if index % 3 else generate_training
        yield generate(FIRST_SEED + index, list(Profile)[index % 2])


def fit(
    field: str, questions: Sequence[Question], *, before: Weights | None = None, how: Disturbance | None = None
) -> Weights:
    """Weights by the name of a feature, by gradient descent on the probability of the right answers, with the required
    signs (`FOR`, `AGAINST`). Weights of `before` are where the others begin, and are drawn to."""
    rng = np.random.default_rng(0)
    disturbed = _disturbed(questions, how or DISTURBANCES.get(field, USUAL), rng)
    shown = {name for question in questions for option in question.options for name in option}
    # What no document shows is objected to nevertheless.
    names = ["bias", *sorted(map(str, shown.union(Objection if field == "vendor" else ())))]
    inputs = torch.tensor(
        np.concatenate([_matrix(question.options, names) for question in disturbed]), dtype=torch.float32
    )
    asked_of = _Asked.of(disturbed)
    lowest = torch.tensor([0.0 if name in FOR[field] else -torch.inf for name in names])
    highest = torch.tensor([0.0 if name in AGAINST[field] else torch.inf for name in names])
    start = torch.tensor([_start(name, before or {}) for name in names])
    weights = start.clone().requires_grad_(True)
    optimiser = torch.optim.Adam([weights], lr=0.05)
    for _ in range(STEPS):
        optimiser.zero_grad()
        loss = asked_of.loss(inputs @ weights) + (PULL[field] if before else RIDGE) * ((weights - start) ** 2).sum()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        with torch.no_grad():
            weights.clamp_(lowest, highest)
    return {name: round(float(value), 3) for name, value in zip(names, weights.detach(), strict=True)}


def _start(name: str, before: Weights) -> float:
    return before.get(name, OBJECTED if name in set(Objection) else 0.0)


def _disturbed(questions: Sequence[Question], how: Disturbance, rng: np.random.Generator) -> list[Question]:
    return [disturb(question, how, rng) for question in questions for _ in range(COPIES)]


@dataclass(frozen=True, slots=True)
class _Asked:
    """Questions as tensors: for each option, its question and whether it is right; for each question, whether any
    option is right, and its weight."""

    owner: torch.Tensor
    right: torch.Tensor
    answered: torch.Tensor
    importance: torch.Tensor

    @classmethod
    def of(cls, questions: Sequence[Question]) -> "_Asked":
        return cls(
            torch.tensor(np.repeat(np.arange(len(questions)), [len(question.options) for question in questions])),
            torch.tensor([is_right for question in questions for is_right in question.right]),
            torch.tensor([any(question.right) for question in questions]),
            torch.tensor(_importance(questions)),
        )

    def loss(self, scores: torch.Tensor) -> torch.Tensor:
        """The mean negative log-probability of the right options, or of none if none is right."""
        exponents = torch.exp(scores.clamp(max=30))
        whole = torch.ones(len(self.answered)).index_add(0, self.owner, exponents)
        share = torch.zeros(len(self.answered)).index_add(0, self.owner, exponents * self.right)
        chances = torch.log(torch.where(self.answered, share, torch.ones(())) + 1e-9) - torch.log(whole)
        return -(self.importance * chances).sum()


def _importance(questions: Sequence[Question]) -> list[float]:
    """The share of each question: a group counts as the square root of its size."""
    sizes = Counter(question.group for question in questions)
    counts = [(COPIES / sizes[question.group]) ** 0.5 if question.group else 1.0 for question in questions]
    return [count / sum(counts) for count in counts]


def disturb(question: Question, how: Disturbance, rng: np.random.Generator) -> Question:
    """The question as worse models and a poorer lexicon would pose it."""
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
    return Question(options, question.right, question.group)


def _matrix(options: Sequence[Features], names: Sequence[str]) -> Floats:
    return np.array([[1.0, *(option.get(name, 0.0) for name in names[1:])] for option in options])


def accuracy(weights: Weights, questions: Sequence[Question]) -> float:
    """The share of undisturbed questions whose likeliest answer is right."""
    return sum(answers_right(weights, question) for question in questions) / len(questions)


def answers_right(weights: Weights, question: Question) -> bool:
    """Whether the likeliest option is right, or none is both likely and right."""
    scores = [score(weights, option) for option in question.options]
    best = max(range(len(scores)), key=scores.__getitem__)
    return question.right[best] if scores[best] > 0 else not any(question.right)


if __name__ == "__main__":
    main()
