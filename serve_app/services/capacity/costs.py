"""What a page costs in each stage, as this process sees it."""

from collections.abc import Mapping

from serve_app.domain.load import Load, PageKind
from serve_app.domain.pace import Costs, Stage

_MODEL: Mapping[PageKind, float] = dict.fromkeys(PageKind, 0.15)
# On a CPU; replaced by what is measured within a few documents.
_PRIOR: Mapping[Stage, Mapping[PageKind, float]] = {
    Stage.READ: {PageKind.TEXT: 0.05, PageKind.SCAN: 2.5, PageKind.PHOTO: 2.5},
    Stage.EXTRACT: _MODEL,
    Stage.VERIFY: _MODEL,
    Stage.RECONCILE: dict.fromkeys(PageKind, 0.1),
}
_PRIOR_DOCUMENTS = 4
"""As many measured documents the prior counts as."""
_MEMORY = 50
"""About as many documents of a kind the mean is of."""


class StageCosts:
    """Running means of the seconds that a worker is busy with an expected page, by stage and kind."""

    def __init__(self) -> None:
        self._means = {(stage, kind): _PRIOR[stage][kind] for stage in Stage for kind in PageKind}
        self._counts = dict.fromkeys(self._means, _PRIOR_DOCUMENTS)

    def note(self, stage: Stage, load: Load, seconds: float) -> None:
        """A worker was busy with a document for so long. Nothing is recorded for 0 seconds: it did not measure."""
        if seconds <= 0:
            return
        key = stage, load.kind
        self._counts[key] = min(self._counts[key] + 1, _MEMORY)
        self._means[key] += (seconds / load.pages - self._means[key]) / self._counts[key]

    @property
    def means(self) -> Costs:
        """Seconds for each expected page."""
        return dict(self._means)

    def work_of(self, load: Load) -> float:
        """The seconds of work that a document is, over all stages."""
        return load.pages * sum(self._means[stage, load.kind] for stage in Stage)
