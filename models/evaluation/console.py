"""Where figures are printed."""

import os

from rich.console import Console

_WHOLE = 10_000
"""Columns: no table is wider."""


def figures_console() -> Console:
    """As wide as the terminal, where long cells are wrapped. Redirected to a file or a pipe, lines are whole, unless
    COLUMNS gives a width."""
    console = Console()
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = _WHOLE
    return console
