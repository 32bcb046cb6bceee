"""The reconciling process: `python -m serve_app.reconciling.worker FD`, one end of a socket pair."""

import gc
import os
import pickle
import resource
import socket
import sys
import time
import traceback
from typing import Any

from serve_app.documents.isolation import kernel
from serve_app.documents.isolation.channel import Channel
from serve_app.domain.batch import Reconciled
from serve_app.domain.packed import LabelledPages
from serve_app.extraction.confidence.calibrations import Calibrations
from serve_app.reconciling.budget import allow_cpu
from serve_app.reconciling.messages import Broken, Ready, Start
from serve_app.reconciling.reconcile import reconcile

_MAX_BYTES = 2**32 - 1


def main() -> None:
    """Answer until the parent closes its end."""
    channel = Channel(socket.socket(fileno=int(sys.argv[1])))
    try:
        _serve(channel)
    except ConnectionError:
        return


def _serve(channel: Channel) -> None:
    start: Start = _receive(channel)
    kernel.die_with_parent()
    if os.getppid() != start.parent:
        return
    # Its end is expected, and a dump would contain the document.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # What is loaded now stays, so garbage collection can skip it.
    gc.freeze()
    channel.send(pickle.dumps(Ready()))
    while True:
        labelled = _receive(channel)
        allow_cpu(start.budget.seconds_for(labelled))
        channel.send(_answer(labelled, start.calibrations))


def _receive(channel: Channel) -> Any:
    return pickle.loads(channel.receive(_MAX_BYTES))  # noqa: S301 - from the parent


def _answer(labelled: LabelledPages, calibrations: Calibrations) -> bytes:
    began = time.process_time()
    try:
        sections = reconcile(labelled, calibrations)
        return pickle.dumps(Reconciled(sections, cpu_seconds=time.process_time() - began))
    except Exception as error:
        return pickle.dumps(_broken(error))


def _broken(error: Exception) -> Broken:
    trace = "".join(traceback.format_tb(error.__traceback__))
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    except Exception:
        error = RuntimeError(type(error).__name__)
    return Broken(error, trace)


if __name__ == "__main__":
    main()
