"""How many workers keep waits short."""

import math


def chance_of_waiting(workers: int, load: float) -> float:
    """The chance that all workers are busy when a call comes (Erlang C). `load` is the mean number of busy ones, less
    than `workers`."""
    blocked = 1.0
    for number in range(1, workers + 1):
        blocked = load * blocked / (number + load * blocked)
    share = load / workers
    return blocked / (1 - share + share * blocked)


def workers_for(rate: float, seconds: float, variation: float, wait: float, tail: float) -> int:
    """The fewest workers with which at most the share `tail` of calls waits longer than `wait` seconds.

    Calls come at random, `rate` a second, and take `seconds` on average; `variation` is their standard deviation
    divided by that mean. Calls that vary make queues longer (Allen and Cunneen's approximation)."""
    load = rate * seconds
    workers = math.floor(load) + 1
    stretch = seconds * (1 + variation**2) / 2
    while stretch and chance_of_waiting(workers, load) * math.exp(-(workers - load) * wait / stretch) > tail:
        workers += 1
    return workers
