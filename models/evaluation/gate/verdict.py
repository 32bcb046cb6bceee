"""The rules that a candidate has to pass."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from models.evaluation.baseline import Change, changes, sign_test
from models.evaluation.gate.golden import SET
from models.evaluation.gate.trial import Measured, Run
from models.evaluation.observations import ROW
from models.evaluation.record import Scored
from models.evaluation.reliability import brier, expected_error
from models.evaluation.trust import counts, graded
from serve_app.domain.invoice import Confidence

CHANCE = 0.05
"""Of a loss: the probability of calling at least one field worse although none is (Holm, 1979, over all fields and
sources)."""
LEAST_GOLDEN = 0.8
"""Share of right header fields on the golden documents, whatever the other pair does. Random weights come to 0.65,
because captions and sums find much by themselves."""
MOST_LOST = 0.03
"""Share of header fields that may be lost on the golden documents, net."""
FEWEST_HIGH = 30
"""With fewer values that are `high`, nothing is said about their precision."""
LEAST_HIGH_PRECISION = 0.97
MOST_HIGH_LOST = 0.1
"""Share of the present pair's `high` fields that a source of documents may lose: people have to look at the others."""
MOST_ERROR = 0.05
"""Expected calibration error, if that of the present pair is not larger still."""
FEWEST_JUDGED = 200
"""With fewer values, that error is mostly chance."""
MOST_TIMES_SLOWER = 3.0
MOST_TIMES_LARGER = 4.0


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule: what was found, and whether the candidate passes it."""

    rule: str
    found: str
    passed: bool


@dataclass(frozen=True, slots=True)
class Source:
    """What changed on documents of one source, field by field."""

    name: str
    changes: Sequence[Change]


def findings(before: Run, now: Run) -> list[Finding]:
    """Every rule with its outcome."""
    return [
        _golden("alone, it reads generated invoices", before.alone, now.alone),
        _golden("the pair reads generated invoices", before.pair, now.pair),
        *_losses(sources(before, now)),
        *_trust(before, now),
        *_cost(before, now),
    ]


def sources(before: Run, now: Run) -> list[Source]:
    """The changes on each source of documents, of the pairs and of the models alone."""
    of = _source_of_each(now)
    names = dict.fromkeys(of.values())
    pairs = [Source(name, _changes(before.pair, now.pair, of, name)) for name in names]
    return pairs + [Source(f"{name}, alone", _changes(before.alone, now.alone, of, name)) for name in names]


def _source_of_each(now: Run) -> dict[str, str]:
    """The source of each document, by the document's name."""
    return {case.name: case.set if case.set == SET else case.source for case, _ in now.pair.evaluation.outcomes}


def _changes(before: Measured, now: Measured, of: dict[str, str], name: str) -> list[Change]:
    def mine(measured: Measured) -> dict[Scored, bool]:
        return {value: right for value, right in measured.outcomes.items() if of.get(value.document) == name}

    return changes(mine(before), mine(now))


def _golden(rule: str, before: Measured, now: Measured) -> Finding:
    mine, theirs = now.evaluation.by_set[SET].header, before.evaluation.by_set[SET].header
    share, other = mine[0] / max(1, mine[1]), theirs[0] / max(1, theirs[1])
    found = f"{share:.1%} of the header fields right, at present {other:.1%}"
    return Finding(rule, found, share >= max(LEAST_GOLDEN, other - MOST_LOST))


def _losses(found: Sequence[Source]) -> Iterator[Finding]:
    """Fields that got worse by more than chance; the smaller the chance, the earlier it is held against its share."""
    tested = sorted(
        (
            (change.chance, source.name, change)
            for source in found
            for change in source.changes
            if change.field != "all"
        ),
        key=lambda each: each[0],
    )
    worse = []
    for number, (chance, source, change) in enumerate(tested):
        if chance > CHANCE / (len(tested) - number):
            break
        if len(change.lost) > len(change.won):
            worse.append(f"{change.field} of {source}: {len(change.lost)} lost, {len(change.won)} won, p {chance:.1g}")
    yield Finding("no field of any source gets worse by more than chance", "; ".join(worse) or "none does", not worse)


def _trust(before: Run, now: Run) -> Iterator[Finding]:
    judged = now.pair.evaluation.judged
    right, high = counts(judged, Confidence.HIGH)
    if not _has_calibration(now):
        found = f"none: no value would be high, because {now.pipeline.calibration_problem}"
        yield Finding("has a calibration", found, not _has_calibration(before))
        return
    yield _coverage(before, now)
    enough = high >= FEWEST_HIGH
    found = f"{right} of {high} right" + ("" if enough else ", too few for a verdict")
    yield Finding("high values are right", found, not enough or right / high >= LEAST_HIGH_PRECISION)
    error, other = (expected_error(*graded(run.pair.evaluation.judged)) for run in (now, before))
    enough = len(judged) >= FEWEST_JUDGED
    found = f"expected error {error:.3f}, the present pair {other:.3f}; Brier score {brier(*graded(judged)):.3f}"
    found += "" if enough else f", of {len(judged)} values, too few for a verdict"
    yield Finding("probabilities mean what they say", found, not enough or error <= max(MOST_ERROR, other))


def _has_calibration(run: Run) -> bool:
    return run.pipeline.calibration_problem is None


def _coverage(before: Run, now: Run) -> Finding:
    """Sources of documents on which clearly fewer fields are `high` (Bonferroni over the sources)."""
    rule = f"no source loses more than {MOST_HIGH_LOST:.0%} of its high fields, by more than chance"
    theirs, mine = _high_fields(before.pair), _high_fields(now.pair)
    of = _source_of_each(now)
    names = dict.fromkeys(of.values())
    fewer = []
    for name in names:
        documents = [document for document, source in of.items() if source == name]
        had, has = (sum(fields[document] for document in documents) for fields in (theirs, mine))
        chance = _chance_of_fewer(theirs, mine, documents)
        if has < (1 - MOST_HIGH_LOST) * had and chance <= CHANCE / len(names):
            fewer.append(f"{has} of {name}, at present {had}, p {chance:.1g}")
    total = f"{mine.total()} fields are high, at present {theirs.total()}"
    return Finding(rule, "; ".join([total, *fewer]), not fewer)


def _chance_of_fewer(theirs: Counter[str], mine: Counter[str], documents: Sequence[str]) -> float:
    """Documents with fewer `high` fields are held against those with more, as a canary does: the fields of one document
    are not independent."""
    differences = [mine[document] - theirs[document] for document in documents]
    return sign_test(sum(each < 0 for each in differences), sum(each > 0 for each in differences))


def _high_fields(measured: Measured) -> Counter[str]:
    """How many fields of each document are `high`; single rows of tables do not count."""
    judged = (each for each in measured.evaluation.judged if each.observation.kind != ROW)
    return Counter(each.observation.case for each in judged if each.level is Confidence.HIGH)


def _cost(before: Run, now: Run) -> Iterator[Finding]:
    times = now.seconds / max(before.seconds, 1e-9)
    found = f"{now.seconds:.2f} s a page, the present pair {before.seconds:.2f} s"
    yield Finding(f"is at most {MOST_TIMES_SLOWER:g} times as slow", found, times <= MOST_TIMES_SLOWER)
    larger = now.loaded_bytes / max(before.loaded_bytes, 1)
    found = f"{now.loaded_bytes / 2**20:.0f} MiB, the present pair {before.loaded_bytes / 2**20:.0f} MiB"
    yield Finding(f"takes at most {MOST_TIMES_LARGER:g} times the memory", found, larger <= MOST_TIMES_LARGER)
