"""Arguments and options that commands about exports share."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from serve_app.commands.errors import CommandError
from serve_app.domain.export import ExportFormat

FormatArgument = Annotated[ExportFormat, typer.Argument(metavar="FORMAT", help=", ".join(ExportFormat))]
SettingsOption = Annotated[
    Path | None,
    typer.Option("--settings", metavar="FILE", help="JSON of the format's settings (default: the last export's)."),
]
ToOption = Annotated[
    str,
    typer.Option(
        "--to",
        metavar="PLACE",
        help="A folder, s3://bucket/prefix, sftp://user@host/path, mailto:name@host, odoo:, xero:, quickbooks:.",
    ),
]


def read_format_settings(path: Path) -> Mapping[str, Any]:
    """The settings in a file. Raises CommandError."""
    try:
        found = json.loads(path.read_text())
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise CommandError(f"{path} is not JSON: {error}") from error
    if not isinstance(found, dict):
        raise CommandError(f"{path}: the settings are an object, such as {{}}")
    return found
