"""From the pages to the sums of a document, and the rows that make them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.notation.numbers import decimal_style
from serve_app.extraction.reconcile.candidates import Sums, Table
from serve_app.extraction.reconcile.choice import Check, Choice, best_choice
from serve_app.extraction.tables.line_items import Row, all_rows, drop_non_items, sum_of
from serve_app.extraction.tables.missing_rows import with_missing_rows
from serve_app.extraction.tables.row_selection import lists_again, makes_one_of, row_sets, rows_of_sum, table_runs

# No more tables are tried together with the sums.
_MOST_RUNS = 6


@dataclass(frozen=True, slots=True)
class Items:
    """The rows that make the invoice. `do_add_up`: they come to its total; `has_rival`: other tables make it as
    well."""

    rows: tuple[Row, ...] = ()
    do_add_up: bool = False
    has_rival: bool = False

    @property
    def are_bare(self) -> bool:
        """Whether each prints one amount alone."""
        return all(row.is_bare for row in self.rows)

    @property
    def do_lack_quantity(self) -> bool:
        """Whether one at least has a column of quantities, where nothing was read in it."""
        return any(row.lacks_quantity for row in self.rows)


def reconcile(pages: Sequence[PageEvidence]) -> tuple[Items, Choice]:
    """Choose what the document comes to, together with the rows that make it."""
    sums = collect_tables(pages)
    choice = best_choice(sums)
    of_rows = choice.of_rows
    rows = with_missing_rows(pages, rows_of_sum(choice.table.rows, of_rows), of_rows, sums.style)
    return Items(tuple(rows), makes_one_of(rows, choice.of_total), _has_rival(sums.tables[0].rows, choice)), choice


def collect_tables(pages: Sequence[PageEvidence]) -> Sums:
    """The sums that may be a document's, and the rows: without what is no item, with it, and those of some tables."""
    style = decimal_style(word.text for page in pages for word in page.page.words)
    every = all_rows(pages, style)
    whole = drop_non_items(every)
    tables = [Table(tuple(whole), sum_of(whole))]
    if len(every) > len(whole):
        tables.append(Table(tuple(every), sum_of(every), is_loose=sum_of(every) != tables[0].sum))
    sums = Sums(pages, style, tables)
    sums.tables = [*sums.tables, *_parts(whole, sums)]
    return sums


def _parts(rows: Sequence[Row], sums: Sums) -> list[Table]:
    """The tables that follow one another and may make one of the sums, without the others."""
    wanted = {each.value for each in (*sums.totals, *sums.nets)}
    wanted |= {total.value - tax.value for total in sums.totals for tax in sums.taxes}
    runs = (run for _, _, run in table_runs(rows, wanted) if len(run) < len(rows))
    return [
        Table(tuple(run), sum_of(run), is_part=True, is_repeated=lists_again(rows, run))
        for run in islice(runs, _MOST_RUNS)
    ]


def _has_rival(rows: Sequence[Row], choice: Choice) -> bool:
    """Whether other tables make the sum as well, with other numbers: copies list the same."""
    sets = row_sets(rows, choice.wanted) if choice.check is not Check.UNKNOWN else []
    chosen = choice.table.rows if choice.table.is_part else max(sets, key=len, default=())
    return any([row.numbers for row in each] != [row.numbers for row in chosen] for each in sets)
