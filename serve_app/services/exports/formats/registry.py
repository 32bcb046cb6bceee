"""All formats, by name."""

from collections.abc import Mapping
from typing import Any

from serve_app.domain.export import ExportFormat
from serve_app.services.exports.formats import datev, flat_file, lexware, odoo, quickbooks, template, xero
from serve_app.services.exports.formats.base import Format

_MODULES: Any = (datev, xero, quickbooks, odoo, lexware, flat_file, template)
FORMATS: Mapping[ExportFormat, Format[Any]] = {module.NAME: module.FORMAT for module in _MODULES}
