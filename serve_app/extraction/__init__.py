"""Words and readings in, invoices out. Pure: no input or output."""
