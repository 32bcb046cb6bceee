"""The subcommands of `invoices`, grouped by file."""
