"""`python -m models.evaluation.calibrate DATA`: fit the calibration of confidence on documents with known truth."""

import argparse
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt

from models.evaluation.compare import is_right
from models.evaluation.dataset import Case, load_dataset
from models.pipeline import Pipeline
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import Field
from serve_app.extraction.confidence import Calibration, Support, features

Floats = npt.NDArray[np.float64]

_KEYS = {field: "vendor_name" if field is Field.VENDOR else field.value for field in Field}
# Keeps the fit finite where one kind of evidence is never wrong in the data (a ridge penalty).
RIDGE = 1.0
STEPS = 50


def main() -> None:
    """Print the coefficients and how many values they were fitted on."""
    parser = argparse.ArgumentParser(prog="python -m models.evaluation.calibrate", description=__doc__)
    parser.add_argument("data", type=Path, help="a folder with docs/ and truth/")
    cases = [case for case in load_dataset(parser.parse_args().data) if len(case.truths) == 1]
    outcomes = collect(Pipeline(), cases)
    calibration = fit(outcomes)
    right = sum(one for _, one in outcomes)
    sys.stdout.write(f"{calibration}\nfitted on {len(outcomes)} values, {right} of them right\n")


def collect(pipeline: Pipeline, cases: list[Case]) -> list[tuple[Support, bool]]:
    """For every extracted header value that the truth knows: what spoke for it, and whether it is right."""
    outcomes = []
    for case in cases:
        try:
            witnesses = pipeline.hear(case.path.read_bytes())
        except DocumentError:
            continue
        (truth,) = case.truths
        for field, answer in witnesses.answers().items():
            key = _KEYS[field]
            if key in truth and key not in truth.get("_not_printed", []):
                outcomes.append((witnesses.support(field), is_right(key, truth, answer.value)))
    return outcomes


def fit(outcomes: list[tuple[Support, bool]]) -> Calibration:
    """Logistic regression by Newton's method with a small ridge; raise ValueError without outcomes."""
    if not outcomes:
        raise ValueError("nothing to fit a calibration on")
    inputs = np.array([features(support) for support, _ in outcomes], dtype=np.float64)
    right = np.array([right for _, right in outcomes], dtype=np.float64)
    return Calibration(*(round(float(weight), 3) for weight in _newton(inputs, right)))


def _newton(inputs: Floats, right: Floats) -> Floats:
    weights: Floats = np.zeros(inputs.shape[1])
    penalty = RIDGE * np.eye(inputs.shape[1])
    penalty[0, 0] = 0  # The intercept is free.
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-inputs @ weights))
        gradient = inputs.T @ (chance - right) + penalty @ weights
        curvature = (inputs * (chance * (1 - chance))[:, None]).T @ inputs + penalty + 1e-6 * np.eye(len(weights))
        weights = weights - np.linalg.solve(curvature, gradient)
    return weights


if __name__ == "__main__":
    main()
