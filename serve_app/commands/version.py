"""`invoices --version`."""

from importlib.metadata import version

import typer

DISTRIBUTION = "invoice-extraction-service"


def print_version(requested: bool) -> None:
    """Print the version of the service and exit."""
    if requested:
        typer.echo(f"invoices {version(DISTRIBUTION)}")
        raise typer.Exit
