"""Parts of a page: letterheads, addresses, meta data, tables, totals, small print."""
