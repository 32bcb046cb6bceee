"""Which sums a page prints, and which of them prove each other."""
