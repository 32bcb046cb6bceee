"""The thresholds of `high` for each target precision."""

from collections.abc import Mapping, Sequence
from math import ceil

from models.evaluation.observations import HEADER_KINDS, KINDS
from models.evaluation.thresholds import Threshold, common_threshold, field_threshold
from serve_app.domain.guarantee import LEAST, Candidate
from serve_app.domain.target_precision import TargetPrecision
from serve_app.extraction.confidence.calibration import NEVER

STRICTER = tuple(target for target in TargetPrecision if target is not TargetPrecision.STANDARD)


def thresholds_at(by_kind: Mapping[str, Sequence[Candidate]], target: TargetPrecision) -> dict[str, float]:
    """The threshold of each kind of value. A stricter target has only guaranteed ones: whoever chooses it asks for the
    proof, and where the values are too few for it nothing is `high`."""
    everything = [candidate for kind in HEADER_KINDS for candidate in by_kind.get(kind, ())]
    common = common_threshold(everything, target)
    found = {}
    for kind in KINDS:
        least = common if kind in HEADER_KINDS else Threshold(LEAST, is_guaranteed=True)
        own = field_threshold(by_kind.get(kind, ()), everything, least.chance, target)
        is_proved = own.is_guaranteed and least.is_guaranteed
        # Rounded up: below the exact threshold, values were not shown to be safe.
        is_given = is_proved or target is TargetPrecision.STANDARD
        found[kind] = min(NEVER, ceil(own.chance * 1e4) / 1e4) if is_given else NEVER
    return found
