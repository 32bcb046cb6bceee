"""The best assignment of rows to columns."""

from collections.abc import Sequence

import numpy as np


def assign(scores: Sequence[Sequence[float]]) -> list[int | None]:
    """For each row the column that it gets, so that the sum of the scores is the highest possible; None where no score
    above zero is left. No column is given twice."""
    if not scores or not scores[0]:
        return [None] * len(scores)
    matrix = np.maximum(np.array(scores, dtype=np.float64), 0.0)
    size = max(matrix.shape)
    costs = np.zeros((size, size))
    costs[: matrix.shape[0], : matrix.shape[1]] = -matrix
    columns = _cheapest(costs)[: matrix.shape[0]]
    return [
        column if column < matrix.shape[1] and matrix[row, column] > 0 else None for row, column in enumerate(columns)
    ]


def _cheapest(costs: "np.ndarray[tuple[int, int], np.dtype[np.float64]]") -> list[int]:
    """The column of each row of a square matrix, by the Hungarian algorithm (Jonker and Volgenant's form): rows are
    added one by one, each on the shortest augmenting path. Index 0 stands for no row and no column."""
    size = len(costs)
    of_row, of_column = np.zeros(size + 1), np.zeros(size + 1)
    row_at = np.zeros(size + 1, dtype=np.int64)
    for row in range(1, size + 1):
        row_at[0], column = row, 0
        distance = np.full(size + 1, np.inf)
        before = np.zeros(size + 1, dtype=np.int64)
        is_done = np.zeros(size + 1, dtype=bool)
        while row_at[column] != 0:
            is_done[column] = True
            current = row_at[column]
            reduced = costs[current - 1] - of_row[current] - of_column[1:]
            nearer = ~is_done[1:] & (reduced < distance[1:])
            distance[1:][nearer] = reduced[nearer]
            before[1:][nearer] = column
            open_distance = np.where(is_done[1:], np.inf, distance[1:])
            following = int(open_distance.argmin()) + 1
            step = distance[following]
            of_row[row_at[is_done]] += step
            of_column[is_done] -= step
            distance[~is_done] -= step
            column = following
        while column:
            row_at[column], column = row_at[before[column]], int(before[column])
    columns = [0] * size
    for column in range(1, size + 1):
        columns[int(row_at[column]) - 1] = column - 1
    return columns
