"""All settings of the service: what they are, where they are read, and whether they fit together."""

from serve_app.settings.places import sqlite_path
from serve_app.settings.settings import Settings

__all__ = ["Settings", "sqlite_path"]
