"""The assignment is the best of all."""

from itertools import permutations

import numpy as np
import pytest

from serve_app.domain.assignment import assign


def total(scores: list[list[float]], columns: list[int | None]) -> float:
    return sum(scores[row][column] for row, column in enumerate(columns) if column is not None)


def best(scores: list[list[float]]) -> float:
    """Of all that are possible, tried one by one."""
    width = len(scores[0])
    choices = [*range(width), *[None] * len(scores)]
    return max(
        total(scores, list(columns))
        for columns in set(permutations(choices, len(scores)))
        if all(column is None or scores[row][column] > 0 for row, column in enumerate(columns))
    )


@pytest.mark.parametrize("seed", range(30))
def test_no_other_assignment_scores_more(seed: int) -> None:
    draw = np.random.default_rng(seed)
    rows, columns = draw.integers(1, 5, 2)
    scores = [
        [float(score) for score in row] for row in draw.random((rows, columns)) * draw.integers(0, 2, (rows, columns))
    ]
    found = assign(scores)
    given = [column for column in found if column is not None]
    assert len(set(given)) == len(given)
    assert total(scores, found) == pytest.approx(best(scores))


def test_a_row_whose_best_column_another_needs_more_takes_the_next() -> None:
    assert assign([[0.9, 0.8], [0.9, 0.0]]) == [1, 0]


def test_what_has_no_score_is_not_assigned() -> None:
    assert assign([]) == []
    assert assign([[], []]) == [None, None]
    assert assign([[0.0, -1.0], [0.5, 0.0]]) == [None, 0]
