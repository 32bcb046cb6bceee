"""The subcommands of `invoices`, a file each."""
