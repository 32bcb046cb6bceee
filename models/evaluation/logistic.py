"""Logistic regressions for several groups of data, shrunk towards what the groups have in common.

Every group has its own weights, which are pulled towards shared weights, and these towards zero (hierarchical ridge);
weights are never negative, intercepts are free. With little data a group stays near the shared weights, with more it
deviates from them. Solved by accelerated projected gradient (Beck and Teboulle, 2009).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Ridge:
    """How strongly weights are pulled: shared ones towards zero, a group's weights and intercept towards the shared
    ones."""

    shared: float = 1.0
    group: float = 10.0
    intercept: float = 1.0


STEPS = 3000
TOLERANCE = 1e-5


def fit(inputs: Floats, groups: Indices, right: Floats, importance: Floats, count: int, ridge: Ridge) -> Floats:
    """Weights of shape (`count`, features + 1), the intercept first.

    `inputs` has shape (values, features), `groups` the index of each value's group, `right` 0 or 1, `importance` how
    much each value counts.
    """
    design = np.column_stack([np.ones(len(inputs)), inputs])
    size = design.shape[1]
    to_zero = np.full(size, ridge.shared)
    to_zero[0] = 0.0
    to_shared = np.full(size, ridge.group)
    to_shared[0] = ridge.intercept
    members = np.eye(count)[groups].T
    curvature = 0.25 * np.linalg.norm(design * np.sqrt(importance)[:, None], 2) ** 2
    rate = 1.0 / (curvature + to_zero.max() + to_shared.max() * (count + 1))

    def gradient(weights: Floats) -> Floats:
        """By the groups' weights, one row per group, and the shared ones in the last row."""
        own, shared = weights[:-1], weights[-1]
        chance = 1 / (1 + np.exp(-np.einsum("ij,ij->i", design, own[groups])))
        pull = to_shared * (own - shared)
        slope = np.vstack([pull, to_zero * shared - pull.sum(axis=0)])
        slope[:-1] += members @ (((chance - right) * importance)[:, None] * design)
        return slope

    weights = momentum = np.zeros((count + 1, size))
    inertia = 1.0
    for _ in range(STEPS):
        moved = momentum - rate * gradient(momentum)
        moved[:, 1:] = np.maximum(moved[:, 1:], 0.0)
        following = (1 + np.sqrt(1 + 4 * inertia**2)) / 2
        step = moved - weights
        momentum = moved + (inertia - 1) / following * step
        weights, inertia = moved, following
        if np.abs(step).max() < TOLERANCE:
            break
    own: Floats = weights[:-1]
    return own


def predict(inputs: Floats, groups: Indices, weights: Floats) -> Floats:
    """The probability that each value is right."""
    scores = weights[groups, 0] + np.einsum("ij,ij->i", inputs, weights[groups, 1:])
    chances: Floats = 1 / (1 + np.exp(-scores))
    return chances
