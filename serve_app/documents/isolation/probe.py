"""What this machine lacks to hold a reader in, found out before the first document."""

from contextlib import closing

from serve_app.documents.isolation.child import Child, Lost
from serve_app.documents.isolation.cutter import WORKER
from serve_app.documents.isolation.messages import MissingWalls
from serve_app.documents.options import ReadOptions
from serve_app.domain.user_error import UserError


def missing_walls(options: ReadOptions) -> MissingWalls:
    """Start a small reader process and end it. Raise UserError where the options require what is missing, or where
    the process does not start. Blocking."""
    try:
        with closing(Child(options, WORKER)) as child:
            return child.missing
    except (Lost, OSError) as error:
        raise UserError(f"no process for reading documents can be started: {error}") from error
