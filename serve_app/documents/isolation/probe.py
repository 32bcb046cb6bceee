"""Find out before the first document which sandbox layers this machine lacks."""

from contextlib import closing

from serve_app.documents.isolation.child import Child, Lost
from serve_app.documents.isolation.cutter import WORKER
from serve_app.documents.isolation.messages import MissingLayers
from serve_app.documents.options import ReadOptions
from serve_app.domain.user_error import UserError


def missing_layers(options: ReadOptions) -> MissingLayers:
    """Start a small reader process and end it. Raise UserError if the options require a layer that is missing or the
    process does not start. Blocking."""
    try:
        with closing(Child(options, WORKER)) as child:
            return child.missing
    except (Lost, OSError) as error:
        raise UserError(f"cannot start a process for reading documents: {error}") from error
