"""What was learned about how far values can be trusted: the numbers of `models/weights/calibration.json`.

`invoices models calibrate` writes them. A value's evidence is turned into `FEATURES`; the probability that
the value is right is a logistic model of them (Platt, 1999) with weights for each field, and other ones for the values
that fulfil the conditions of `high`. Weights are never negative: more evidence never makes a value less likely.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from serve_app.domain import invoice
from serve_app.domain.model_identity import ModelIdentity
from serve_app.domain.suggestions import described
from serve_app.domain.target_precision import TargetPrecision
from serve_app.domain.user_error import UserError

# What speaks for a value, in the order of `FieldCalibration.weights`; `confidence.py` says how each is computed.
FEATURES = (
    "extractor",
    "verifier",
    "together",
    "rival",
    "agreement",
    "arithmetic",
    "legibility",
    "plausibility",
    "kind",
)

NEVER = 1.0
"""The threshold of a field that is never `high`, however likely its values are."""

Weight = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Chance = Annotated[float, Field(ge=0, le=1)]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class CalibrationError(UserError):
    """A calibration that cannot be used; the message says what is wrong with it."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Logistic(_Part):
    """A logistic model of values being right, in natural-log units."""

    intercept: float = Field(allow_inf_nan=False)
    weights: tuple[Weight, ...]

    @field_validator("weights")
    @classmethod
    def _has_all(cls, weights: tuple[float, ...]) -> tuple[float, ...]:
        if len(weights) != len(FEATURES):
            raise ValueError(f"{len(weights)} weights for the features {', '.join(FEATURES)}")
        return weights


class FieldCalibration(Logistic):
    """One field: the logistic model of its values, that of the ones which fulfil the conditions of `high` (None: the
    same), and the probabilities from which on these are `high`, and all are `mid`.

    `high` is for the standard target precision, `stricter` for others. `target` is the one in force, which the file
    does not name.
    """

    high: Chance
    mid: Chance
    proved: Logistic | None = None
    stricter: dict[TargetPrecision, Chance] = {}
    target: TargetPrecision = Field(default=TargetPrecision.STANDARD, exclude=True)

    @property
    def thresholds(self) -> dict[TargetPrecision, float]:
        """The probability from which on values are `high`, for each target that was fitted."""
        return {TargetPrecision.STANDARD: self.high, **self.stricter}

    @property
    def threshold(self) -> float:
        """The one in force. A target that was not fitted is not promised: nothing is `high`."""
        return self.thresholds.get(self.target, NEVER)


class FittedOn(_Part):
    """Documents that the calibration was fitted on; `values` were extracted from them, of which `right` were right."""

    name: str
    documents: int
    values: int
    right: int


class Quality(_Part):
    """How well the calibration does on documents that it was not fitted on (cross-validation by document).

    `ece` is the expected calibration error (Naeini et al., 2015), `brier` the mean squared error of the probabilities,
    `high_precision` the share of right values among those that are `high`, `high_coverage` the share of all printed
    values that they are.
    """

    folds: int
    ece: float
    brier: float
    high_precision: float | None
    high_coverage: float


class Shares(_Part):
    """Of the values of a field that were found on the documents of the calibration: the share that is `high`, and the
    share on which both models agree."""

    high: float = Field(ge=0, le=1)
    agreed: float = Field(ge=0, le=1)


class Calibration(_Part):
    """The calibration of all fields, and of single rows of the table (`row`).

    `extractor` and `verifier` are the revisions of the models whose answers it was fitted on, None for generic weights,
    which suit any model, but none well. The calibration is bound to these models by their hashes (`ModelIdentity`);
    those before version 1.1 have names only, and fit no pair. `shares` are what to compare later documents with (empty:
    unknown).
    """

    format: Literal[1] = 1
    fitted_at: str | None = None
    extractor: str | None = None
    verifier: str | None = None
    extractor_sha256: Sha256 | None = None
    verifier_sha256: Sha256 | None = None
    sources: tuple[FittedOn, ...] = ()
    cross_validated: Quality | None = None
    shares: dict[invoice.Field, Shares] = {}
    features: tuple[str, ...] = FEATURES
    fields: dict[invoice.Field, FieldCalibration]
    row: FieldCalibration

    @field_validator("features")
    @classmethod
    def _is_known(cls, features: tuple[str, ...]) -> tuple[str, ...]:
        if features != FEATURES:
            raise ValueError(f"fitted on the features {', '.join(features)}, not on {', '.join(FEATURES)}")
        return features

    @field_validator("fields")
    @classmethod
    def _is_complete(cls, fields: dict[invoice.Field, FieldCalibration]) -> dict[invoice.Field, FieldCalibration]:
        missing = [field.value for field in invoice.Field if field not in fields]
        if missing:
            raise ValueError(f"no calibration of {', '.join(missing)}")
        return fields

    @property
    def has_names_only(self) -> bool:
        """Whether it names its models without saying which files they are: written before version 1.1."""
        return self.extractor is not None and None in (self.extractor_sha256, self.verifier_sha256)

    def is_for(self, extractor: ModelIdentity, verifier: ModelIdentity) -> bool:
        """Whether it was fitted on the answers of these two models, whatever they are called."""
        hashes = extractor.sha256, verifier.sha256
        return (self.extractor_sha256, self.verifier_sha256) == hashes and len(set(hashes)) == 2

    def has_names_of(self, extractor: ModelIdentity, verifier: ModelIdentity) -> bool:
        """Whether its models have the names of these two."""
        return (self.extractor, self.verifier) == (extractor.revision, verifier.revision)

    def bound_to(self, extractor: ModelIdentity, verifier: ModelIdentity) -> "Calibration":
        """The same, for these two models."""
        update = {
            "extractor": extractor.revision,
            "verifier": verifier.revision,
            "extractor_sha256": extractor.sha256,
            "verifier_sha256": verifier.sha256,
        }
        return self.model_copy(update=update)

    @property
    def target(self) -> TargetPrecision:
        """The target precision in force."""
        return self.row.target

    @property
    def targets(self) -> frozenset[TargetPrecision]:
        """The target precisions that it was fitted for."""
        return frozenset.intersection(*(frozenset(part.thresholds) for part in (*self.fields.values(), self.row)))

    def at(self, target: TargetPrecision) -> "Calibration":
        """The same, with this target precision in force."""
        return self._with_parts({"target": target})

    def without_high(self) -> "Calibration":
        """The same, but no value is `high`."""
        return self._with_parts({"high": NEVER, "stricter": {}})

    def _with_parts(self, update: Mapping[str, object]) -> "Calibration":
        fields = {field: part.model_copy(update=update) for field, part in self.fields.items()}
        return self.model_copy(update={"fields": fields, "row": self.row.model_copy(update=update)})


def parse_calibration(text: str) -> Calibration:
    """Parse a calibration from JSON. Raises CalibrationError if there is none."""
    try:
        return Calibration.model_validate_json(text)
    except ValidationError as error:
        raise CalibrationError(described(error, Calibration)) from error


_UNFITTED = FieldCalibration(intercept=0.0, weights=(1.0, 1.0, 0.5, 1.0, 1.0, 0.8, 1.0, 0.5, 1.5), high=0.9, mid=0.5)
# For models without measurements: each kind of evidence counts about as much as with the bundled models.
UNFITTED = Calibration(fields=dict.fromkeys(invoice.Field, _UNFITTED), row=_UNFITTED)
