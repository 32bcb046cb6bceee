"""A table of figures, for a terminal or a page."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.markup import escape
from rich.table import Table


@dataclass(frozen=True, slots=True)
class Grid:
    """A title, the columns' names and the rows; the first column names the row."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]

    def rich(self) -> Table:
        """For a terminal."""
        table = Table(title=escape(self.title))
        for index, name in enumerate(self.columns):
            table.add_column(escape(name), justify="right" if index else "left", overflow="fold")
        for row in self.rows:
            table.add_row(*map(escape, row))
        return table

    def markdown(self) -> str:
        """For a page."""
        head = [list(self.columns), ["---", *["---:"] * (len(self.columns) - 1)]]
        lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in [*head, *self.rows]]
        return f"**{self.title}**\n\n" + "\n".join(lines) + "\n"


def share(part: int, whole: int) -> str:
    """ "97.5% (39/40)", or a dash if `whole` is 0."""
    return f"{percent(part, whole)} ({part}/{whole})" if whole else "-"


def percent(part: float, whole: float) -> str:
    """ "97.5%", or a dash if `whole` is 0."""
    return f"{100 * part / whole:.1f}%" if whole else "-"
