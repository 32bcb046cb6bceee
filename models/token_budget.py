"""How many tokens a batch of a model holds: measured when it is loaded, fewer once memory runs out."""

import logging
from collections.abc import Callable, Sequence, Sized
from functools import partial
from typing import TypeVar

from models.config import ModelError
from models.memory import CPU_TOKENS, Memory
from models.packing import packed

T = TypeVar("T", bound=Sized)

Probe = Callable[[int], object]
"""Computes a batch of so many of the longest windows. Raises MemoryError."""

# The memory of a window is the difference between batches of these sizes: what a model needs for any batch cancels out.
_FEW, _MANY = 1, 4
# Of the memory that is free. The rest is for what allocators cannot use, and for a second model during a change.
_SHARE = 0.7

# A child of the service's logger, so that its handler and format apply here.
log = logging.getLogger(f"serve_app.{__name__}")


class TokenBudget:
    """The most tokens of a padded batch: its longest window times its windows. It only falls, because whatever took the
    memory may take it again."""

    def __init__(self, tokens: int) -> None:
        self.tokens = tokens

    def run(self, windows: Sequence[T], work: Callable[[list[T]], None]) -> None:
        """Do the work for all windows, in batches. A batch for which memory does not suffice is done in smaller ones,
        and so are all later ones. Raises MemoryError if it does not suffice for a single window."""
        waiting = sorted(windows, key=len, reverse=True)
        while waiting:
            batch = next(packed(waiting, self.tokens))
            if self._is_done(batch, work):
                waiting = waiting[len(batch) :]

    def _is_done(self, batch: list[T], work: Callable[[list[T]], None]) -> bool:
        try:
            work(batch)
        except MemoryError:
            if len(batch) == 1:
                raise
            self.tokens = len(batch[0]) * len(batch) // 2
            log.warning("out of memory: from now on a batch holds at most %d tokens", self.tokens)
            return False
        return True


def measured_budget(
    configured: int | None, memory: Memory | None, window: int, probe: Probe, model: str
) -> TokenBudget:
    """The budget that is configured, or else as many tokens as the memory has room for, of windows of at most `window`
    tokens. `model` is its name in the log. Raises ModelError if the model cannot compute them."""
    if configured is not None:
        tokens, why = configured, "configured"
    elif memory is None:
        tokens, why = CPU_TOKENS, "computed one window at a time"
    else:
        tokens, why = _measured(memory, window, probe)
    log.info("a batch of %s holds at most %d tokens: %s", model, tokens, why)
    return TokenBudget(tokens)


def _measured(memory: Memory, window: int, probe: Probe) -> tuple[int, str]:
    try:
        # The first batch also allocates what stays.
        probe(_FEW)
        few, many = (memory.peak(partial(probe, count)) for count in (_FEW, _MANY))
    except MemoryError as error:
        return window, f"{memory.name} does not suffice for {_MANY} windows ({error})"
    except Exception as error:
        raise ModelError(f"the model failed its self-test: {type(error).__name__}: {error}") from error
    size = max(1, (many - few) // (_MANY - _FEW))
    room = memory.room()
    windows = max(1, int(_SHARE * room / size))
    why = f"{_mb(size)} for each window of {window}, {_mb(room)} free in {memory.name}"
    return max(window, min(memory.most_tokens, windows * window)), why


def _mb(size: int) -> str:
    return f"{size / 10**6:,.1f} MB"
